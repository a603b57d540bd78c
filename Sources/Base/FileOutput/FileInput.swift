import Glibc

/// Files that a user names to be read whole. Calls block.
package enum FileInput {
  /// No file that is read whole is larger, bytes.
  private static let maximumCount = 64 << 20

  /// The bytes of a file; nil when there is none.
  ///
  /// - Throws: as ``read(_:)``.
  package static func readIfPresent(_ path: String) throws(FileInputError) -> [UInt8]? {
    do throws(FileInputError) { return try read(path) } catch {
      guard error.kind == .absent else { throw error }
      return nil
    }
  }

  /// The bytes of a file that this program has written itself; nil when there is none. Nobody waits for a pipe that
  /// somebody has put there.
  ///
  /// - Throws: as ``read(_:)``, and for what is no ordinary file.
  package static func readOwn(_ path: String) throws(FileInputError) -> [UInt8]? {
    var status = stat()
    if stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
      throw FileInputError(noFile: path)
    }
    return try readIfPresent(path)
  }

  /// The bytes of a file; `-` is standard input.
  ///
  /// - Throws: ``FileInputError``, also for what is larger than 64 MiB.
  package static func read(_ path: String) throws(FileInputError) -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileInputError(errno, path: path) }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while bytes.count <= maximumCount {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileInputError(errno, path: path) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
    throw FileInputError(tooLarge: path, limit: "\(maximumCount >> 20) MiB")
  }
}
