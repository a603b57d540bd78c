public import Diagnosis

/// Why a file of devices or of control packages cannot be read. Never holds key material.
public struct DeviceFileError: Diagnosed, CustomStringConvertible, Hashable {
  /// In which entry, what is wrong with it, and what to do.
  public let diagnosis: Diagnosis

  /// Which entry is wrong, counted from 1, and its name where it has one; nil when it is the whole.
  public var entry: String? { diagnosis.operation }

  /// A problem of the file, or of one entry.
  public init(_ problem: String, entry: String? = nil, remedy: Remedy? = nil) {
    diagnosis = Diagnosis(problem, during: entry, remedy: remedy)
  }
}
