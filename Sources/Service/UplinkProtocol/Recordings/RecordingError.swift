public import Diagnosis
public import LunaJSON

/// Why a file is no recording and no list of apps.
public enum RecordingError: Diagnosed, CustomStringConvertible, Hashable {
  /// It is larger than any that is read or written.
  case tooLarge
  /// It is a Python pickle, as Wehe's server reads them. That is a program, and never run.
  case pickle
  /// It is not JSON, or deeper or longer than it may be.
  case json(JSONError)
  /// It is JSON, but something in it is not what is asked for.
  case format(FormatError)

  /// What is wrong with it, and what to do.
  public var diagnosis: Diagnosis {
    switch self {
    case .tooLarge: Diagnosis("it is larger than \(RecordingLimits.file >> 20) MiB")
    case .pickle:
      Diagnosis(
        "it is a Python pickle, which is a program and never read",
        remedy: "leave it out: answers of the right length take its place")
    case .json(let error): error.diagnosis
    case .format(let error): error.diagnosis
    }
  }
}
