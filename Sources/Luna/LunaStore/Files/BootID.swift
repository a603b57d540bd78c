import Glibc

/// What the kernel made up for this start of the machine; it tells nothing of the machine.
enum BootID {
  /// Where nobody says.
  static let unknown = "unknown"

  /// It in text.
  static let text: String = {
    let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return BootID.unknown }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes[..<max(0, count)].prefix { $0 != 0x0A }, as: UTF8.self)
  }()
}
