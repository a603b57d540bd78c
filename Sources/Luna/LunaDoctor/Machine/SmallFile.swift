import Glibc

/// Small files, most of them the kernel's.
enum SmallFile {
  /// Its beginning, without white space at the end; nil when it cannot be read. Blocks.
  static func text(at path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { return nil }
    var text = bytes[..<count]
    while let last = text.last, last <= UInt8(ascii: " "), last > 0 { text.removeLast() }
    return String(decoding: text, as: UTF8.self)
  }
}
