import Glibc

/// Files that only their owner may read.
enum SecretFile {
  /// Writes a file, mode 0600, in the place of what is there; complete or not at all.
  static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
    func failure() -> CommandFailure {
      CommandFailure(
        .unreadableInput, "cannot write \(path): \(ErrorText.of(errno))",
        hint: "free some space, or write elsewhere")
    }
    let temporary = "\(path).\(getpid()).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure() }
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let error = failure()
        close(descriptor)
        unlink(temporary)
        throw error
      }
      written += count
    }
    guard fsync(descriptor) == 0, close(descriptor) == 0, rename(temporary, path) == 0 else {
      let error = failure()
      unlink(temporary)
      throw error
    }
  }
}
