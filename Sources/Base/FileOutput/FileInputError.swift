package import Diagnosis
import Glibc

/// Why a file cannot be read.
package struct FileInputError: Diagnosed, CustomStringConvertible, Hashable {
  /// The kinds.
  package enum Kind: String, Sendable {
    /// This user may not read it.
    case denied
    /// It is not there.
    case absent
    /// It is larger than any that is read, or anything else.
    case unreadable
  }

  /// The kind.
  package let kind: Kind
  /// What happened, why, and what to do.
  package let diagnosis: Diagnosis

  /// What the error number of a system call means for the file at `path`.
  init(_ code: Int32, path: String) {
    let isDenied = code == EACCES || code == EPERM
    kind = isDenied ? .denied : code == ENOENT ? .absent : .unreadable
    let why = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    guard path != "-" else {
      diagnosis = Diagnosis("cannot read standard input: \(why)", remedy: nil)
      return
    }
    let remedy: Remedy =
      switch code {
      case EACCES, EPERM: "change the permissions of the file"
      case EMFILE, ENFILE: "allow more open files (ulimit -n)"
      default: "check its name"
      }
    diagnosis = Diagnosis("cannot read \(path): \(why)", remedy: remedy)
  }

  /// Something that is no file, where this program keeps one.
  init(noFile path: String) {
    kind = .unreadable
    diagnosis = Diagnosis(
      "cannot read \(path): a device, a pipe or a socket is in its place", remedy: "move it away")
  }

  /// A file that has more bytes than any may have.
  init(tooLarge path: String, limit: String) {
    kind = .unreadable
    diagnosis = Diagnosis(
      "cannot read \(path): it is larger than \(limit)", remedy: "name another file")
  }
}
