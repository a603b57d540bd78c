public import Diagnosis
import Glibc
import SafeText

/// Why a file cannot be written.
public struct FileOutputError: Diagnosed, CustomStringConvertible, Hashable {
  /// What programs decide by; each has a remedy of its own.
  public enum Kind: String, Sendable {
    /// There is such a file, and nobody said that it may be replaced.
    case exists
    /// The directory does not exist, or a part of the path is no directory.
    case noDirectory
    /// This user may not write there.
    case denied
    /// There is no room, or a limit on file size is reached.
    case full
    /// Anything else.
    case failed
  }

  /// What kind of failure it is; ``diagnosis`` says the rest in words.
  public let kind: Kind
  /// What happened, why, and what to do.
  public let diagnosis: Diagnosis

  /// What the error number of a system call means for the file at `path`.
  public init(_ code: Int32, path: String) {
    switch code {
    case EEXIST: kind = .exists
    case ENOENT, ENOTDIR: kind = .noDirectory
    case EACCES, EPERM: kind = .denied
    case ENOSPC, EDQUOT, EFBIG: kind = .full
    default: kind = .failed
    }
    let why = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    let remedy: Remedy =
      switch kind {
      case .exists: "use \(.replacing) to overwrite it, or write elsewhere"
      case .noDirectory: "make the directory, or write elsewhere"
      case .denied: "write where this user may, or change the permissions"
      case .full: "free some space, or write elsewhere"
      case .failed where path == "-": "name a file, or ./- for one called so"
      case .failed where code == EMFILE || code == ENFILE: "allow more open files (ulimit -n)"
      case .failed: code == EISDIR ? "name a file in it" : "write elsewhere"
      }
    diagnosis = Diagnosis(
      kind == .exists
        ? "\(ForeignText(path)) exists already" : "cannot write \(ForeignText(path)): \(why)",
      remedy: remedy)
  }
}
