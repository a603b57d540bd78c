import CommandSpec
import Glibc

/// Reads the file that `--config` names.
enum ConfigurationReader {
  /// More is not a configuration file.
  private static let maximumCount = 1 << 20

  static func read(_ path: String) throws(CommandFailure) -> ConfigurationFile {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(path, ErrorText.of(errno)) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 * 1024)
    while bytes.count <= maximumCount {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(path, ErrorText.of(errno)) }
      if count == 0 { return try parse(bytes, path) }
      bytes += chunk[..<count]
    }
    throw unreadable(path, "it is larger than 1 MiB")
  }

  private static func parse(
    _ bytes: [UInt8], _ path: String
  ) throws(CommandFailure) -> ConfigurationFile {
    do throws(UsageError) {
      return try ConfigurationFile(bytes, name: path)
    } catch {
      throw CommandFailure(error)
    }
  }

  private static func unreadable(_ path: String, _ why: String) -> CommandFailure {
    CommandFailure(.usage, "cannot read the configuration \(path): \(why)")
  }
}
