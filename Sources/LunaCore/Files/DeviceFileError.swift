import SafeText

/// Why a file of devices or of control packages cannot be read. Never holds key material.
public struct DeviceFileError: Error, Hashable, Sendable {
  /// Which entry is wrong, counted from 1, and its name where it has one; nil when it is the whole.
  public let entry: String?
  /// What is wrong with it.
  public let problem: String
  /// What to do.
  public let hint: String?

  /// A problem of the file, or of one entry.
  public init(_ problem: String, entry: String? = nil, hint: String? = nil) {
    self.entry = entry.map(EscapedText.line)
    self.problem = EscapedText.line(problem)
    self.hint = hint.map(EscapedText.line)
  }
}

extension DeviceFileError: CustomStringConvertible {
  /// Entry and problem.
  public var description: String { entry.map { "\($0): \(problem)" } ?? problem }
}
