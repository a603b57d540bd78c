import Glibc

/// What the kernel made up for this start of the machine; it tells nothing of the machine.
enum BootID {
  /// Where nobody says.
  static let unknown = "unknown"

  /// It in text.
  static let text: String = text(
    kernel: kernel, service: getenv("LUNA_BOOT_ID").map { String(cString: $0) })

  /// It as 32 digits, of whoever says it: the kernel writes it with hyphens.
  ///
  /// - Parameter service: what systemd tells a service (`%b`), of whom the unit hides the kernel's file
  ///   (`ProcSubset=pid`).
  static func text(kernel: String?, service: String?) -> String {
    for said in [kernel, service] {
      guard let said else { continue }
      let digits = said.utf8.filter { $0 != UInt8(ascii: "-") }
      if !digits.isEmpty { return String(decoding: digits, as: UTF8.self) }
    }
    return unknown
  }

  private static var kernel: String? {
    let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes[..<max(0, count)].prefix { $0 != 0x0A }, as: UTF8.self)
  }
}
