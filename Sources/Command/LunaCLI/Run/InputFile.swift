import EventLoop
import Glibc

/// Files that are read whole.
enum InputFile {
  /// No file that is read whole is larger.
  private static let maximumCount = 64 << 20

  /// The bytes of the file `path`; `-` is standard input.
  static func read(_ path: String) async throws(CommandFailure) -> [UInt8] {
    try await Blocking.run { () throws(CommandFailure) in try readInPlace(path) }
  }

  /// The same for who may block: within a call that `Blocking` makes.
  static func readInPlace(_ path: String) throws(CommandFailure) -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(path, errno) }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while bytes.count <= maximumCount {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(path, errno) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
    throw CommandFailure(
      .unreadableInput, "cannot read \(path): it is larger than 64 MiB",
      hint: "name another file")
  }

  private static func unreadable(_ path: String, _ code: Int32) -> CommandFailure {
    CommandFailure(
      ExitCode(reading: code), "cannot read \(path): \(ErrorText.of(code))",
      hint: code == EACCES || code == EPERM
        ? "change the permissions of the file" : "check its name")
  }
}
