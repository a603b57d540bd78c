import Glibc

/// Where the map is drawn.
struct DemoPicture: Sendable {
  static let standard = "luna-demo.svg"

  let path: String

  /// - Throws: ``CommandFailure`` when nothing can be written there: better now than after the story.
  init(_ path: String) throws(CommandFailure) {
    self.path = path
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw CommandFailure(
        .usage, "cannot draw the map to \(path): it is no file", hint: "name a file with --picture")
    }
    let trial = "\(path).\(getpid()).new"
    let descriptor = open(trial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure(
        .unreadableInput, "cannot draw the map to \(path): \(ErrorText.of(errno))",
        hint: "name another file with --picture")
    }
    close(descriptor)
    unlink(trial)
  }

  func write(_ text: String) throws(CommandFailure) {
    try SecretFile.write(Array(text.utf8), to: path)
  }
}
