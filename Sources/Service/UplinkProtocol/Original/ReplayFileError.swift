public import Diagnosis
public import LunaJSON

/// Why a file is not one of samples.
public enum ReplayFileError: Diagnosed, CustomStringConvertible, Hashable {
  /// It is larger than any that is read.
  case tooLarge
  /// It is not JSON, or deeper or longer than it may be.
  case json(JSONError)
  /// It is JSON, but not samples.
  case format(FormatError)

  /// What is wrong with it.
  public var diagnosis: Diagnosis {
    switch self {
    case .tooLarge: Diagnosis("it is larger than \(ReplayFile.maximumCount >> 20) MiB")
    case .json(let error): error.diagnosis
    case .format(let error): error.diagnosis
    }
  }
}
