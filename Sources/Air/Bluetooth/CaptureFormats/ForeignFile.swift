import Diagnosis

/// What a file is that is not a capture that Luna reads, as far as its first bytes tell.
enum ForeignFile {
  /// How many first bytes are looked at.
  static let headCount = 64

  /// A file kind known by its first bytes.
  private struct Signature {
    let bytes: [UInt8]
    let name: String
    let remedy: Remedy?

    init(_ bytes: [UInt8], _ name: String, remedy: Remedy? = nil) {
      self.bytes = bytes
      self.name = name
      self.remedy = remedy
    }
  }

  private static let signatures = [
    Signature([0x1F, 0x8B], "gzip data", remedy: "unpack it first: \(.unpack(program: "gzip"))"),
    Signature(
      [0x28, 0xB5, 0x2F, 0xFD], "zstd data",
      remedy: "unpack it first: \(.unpack(program: "zstd"))"),
    Signature(
      [0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz data",
      remedy: "unpack it first: \(.unpack(program: "xz"))"),
    Signature(
      Array("BZh".utf8), "bzip2 data", remedy: "unpack it first: \(.unpack(program: "bzip2"))"),
    Signature(
      [0x04, 0x22, 0x4D, 0x18], "lz4 data", remedy: "unpack it first: \(.unpack(program: "lz4"))"),
    Signature(
      Array("PK".utf8) + [3, 4], "a zip archive",
      remedy: "unpack it; in an Android bug report the capture is btsnoop_hci.log"),
    Signature([0x7F] + Array("ELF".utf8), "a program (ELF)"),
    Signature(Array("snoop".utf8) + [0, 0, 0], "a Solaris snoop capture"),
    Signature(Array("%PDF".utf8), "a PDF document"),
    Signature([0x89] + Array("PNG".utf8), "a PNG picture"),
    Signature(Array("SQLite format 3".utf8), "an SQLite database"),
    Signature(Array("GMBU".utf8), "a Network Monitor capture"),
    Signature(Array("RTSS".utf8), "a Network Monitor capture"),
  ]

  /// The error for a file that begins with `head`.
  static func error(_ head: Span<UInt8>) -> SourceError {
    if head.isEmpty {
      return SourceError(.unreadable, "the file is empty", remedy: CaptureFormat.supported)
    }
    for signature in signatures where starts(head, with: signature.bytes) {
      return error("\(signature.name)", remedy: signature.remedy)
    }
    if isPacketLogger(head) { return error("an Apple PacketLogger capture") }
    if isHCIDump(head) { return error("a capture of BlueZ hcidump") }
    if isText(head) {
      let first = firstVisible(head)
      return error(first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? "JSON text" : "text")
    }
    if isH4Stream(head) {
      return error("a stream of H4 packets without a file header")
    }
    return SourceError(
      .unreadable, "the file is of an unknown kind", remedy: CaptureFormat.supported)
  }

  private static func error(_ name: String, remedy: Remedy? = nil) -> SourceError {
    SourceError(
      .unreadable, "the file seems to be \(name)",
      remedy: remedy.map { "\($0); \(CaptureFormat.supported)" } ?? CaptureFormat.supported)
  }

  private static func starts(_ head: Span<UInt8>, with bytes: [UInt8]) -> Bool {
    guard head.count >= bytes.count else { return false }
    for index in bytes.indices where head[index] != bytes[index] { return false }
    return true
  }

  /// Records of a 32-bit length (in either byte order), seconds, microseconds, and a type.
  private static func isPacketLogger(_ head: Span<UInt8>) -> Bool {
    guard head.count >= 13 else { return false }
    return [true, false].contains { isBigEndian in
      let count = head.number(UInt32.self, at: 0, isBigEndian: isBigEndian)
      let microseconds = head.number(UInt32.self, at: 8, isBigEndian: isBigEndian)
      let type = head[12]
      return (9..<65_536).contains(count) && microseconds < 1_000_000
        && (type <= 0x0B || type >= 0xF7)
    }
  }

  /// Records of a 16-bit length, a direction, a zero, seconds, microseconds, and an H4 packet.
  private static func isHCIDump(_ head: Span<UInt8>) -> Bool {
    guard head.count >= 13, head[2] <= 1, head[3] == 0, (1...4).contains(head[12]) else {
      return false
    }
    return head.littleEndian(UInt16.self, at: 0) > 0
      && head.littleEndian(UInt32.self, at: 8) < 1_000_000
  }

  private static func isH4Stream(_ head: Span<UInt8>) -> Bool {
    guard head.count >= 4 else { return false }
    switch head[0] {
    // a command of a known group, with its length
    case HCIPacketType.command.rawValue: return head[2] >> 2 <= 8 || head[2] >> 2 == 0x3F
    case HCIPacketType.event.rawValue: return head[1] <= 0x60 || head[1] == 0xFF
    default: return false
    }
  }

  /// UTF-8 or plain text: no control characters but white space.
  private static func isText(_ head: Span<UInt8>) -> Bool {
    for index in 0..<head.count {
      let byte = head[index]
      guard byte >= 0x20 || (9...13).contains(byte) || byte == 0x1B, byte != 0x7F else {
        return false
      }
    }
    return true
  }

  private static func firstVisible(_ head: Span<UInt8>) -> UInt8? {
    for index in 0..<head.count where head[index] > 0x20 { return head[index] }
    return nil
  }
}
