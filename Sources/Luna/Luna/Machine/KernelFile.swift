import Glibc

/// The files of /sys and /proc in which the kernel tells one thing each.
enum KernelFile {
  /// The first line of a file, and of that at most 256 bytes; nil where there is none.
  static func line(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self)
  }
}
