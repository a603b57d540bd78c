import FileOutput
import Glibc

/// The directory of a demonstration. A temporary one is gone with this value, and all that was put
/// there.
final class DemoPlace: Sendable {
  let path: String
  private let temporary: TemporaryFolder?

  /// - Parameter kept: a directory to use and leave, empty or not there yet; nil for a temporary one.
  init(keeping kept: String?) throws(CommandFailure) {
    if let kept {
      try StateDirectoryMaker.make(kept)
      guard Directory.names(in: kept)?.isEmpty == true else {
        throw CommandFailure(
          .usage, "\(kept) is not an empty directory", hint: "name an empty or a new one")
      }
      path = kept
      temporary = nil
      return
    }
    guard let temporary = TemporaryFolder("luna-demo") else {
      throw CommandFailure(
        .noPermission,
        "cannot make a directory in \(TemporaryFolder.parent): \(ErrorText.of(errno))",
        hint: "set TMPDIR to another directory, or use --keep DIR")
    }
    self.temporary = temporary
    path = temporary.path
  }

  func directory(_ name: String) -> String { "\(path)/\(name)" }

  /// Removes what is temporary; can be called more than once.
  func discard() { temporary?.remove() }
}
