import LunaHome
import LunaJSON

/// A file that rules are tested with.
enum ReplayedFile {
  /// Whether it is a recording of the air: btsnoop, pcapng, or pcap in one of its forms.
  static func isCapture(_ bytes: [UInt8]) -> Bool {
    let magics: [[UInt8]] = [
      Array("btsnoop\0".utf8), [0x0A, 0x0D, 0x0D, 0x0A], [0xA1, 0xB2, 0xC3, 0xD4],
      [0xD4, 0xC3, 0xB2, 0xA1], [0xA1, 0xB2, 0x3C, 0x4D], [0x4D, 0x3C, 0xB2, 0xA1],
    ]
    return magics.contains { bytes.starts(with: $0) }
  }

  static func read(
    _ bytes: [UInt8], who: String, name: String
  ) throws(CommandFailure) -> ReplayFile {
    do throws(FormatError) {
      return try ReplayFile(bytes, who: who)
    } catch {
      throw CommandFailure(
        .unreadableInput, "cannot read \(EscapedPath.text(name)): \(error)",
        hint: "give a day as JSON lines, a capture, GPX or GeoJSON")
    }
  }
}
