/// The records of a pcap file: seconds, fraction, included and original length, 4 bytes each in the
/// byte order of the file (https://datatracker.ietf.org/doc/draft-ietf-opsawg-pcap/). A modified
/// form, by an old patch of libpcap, has eight bytes more of no interest here.
struct PcapLayout: RecordLayout {
  /// The magic number, version, two reserved words, snapshot length, link type.
  static let fileHeaderCount = 24

  let linkType: LinkType
  let isBigEndian: Bool
  let isNanoseconds: Bool
  let headerCount: Int

  /// Reads the magic number in the first four bytes.
  ///
  /// - Returns: nil when it is none.
  static func kind(
    _ bytes: Span<UInt8>, at start: Int
  ) -> (isBigEndian: Bool, isNanoseconds: Bool, headerCount: Int)? {
    let magic = bytes.bigEndian(UInt32.self, at: start)
    for (isBigEndian, magic) in [(true, magic), (false, magic.byteSwapped)] {
      switch magic {
      case 0xA1B2_C3D4: return (isBigEndian, false, 16)
      case 0xA1B2_3C4D: return (isBigEndian, true, 16)
      case 0xA1B2_CD34: return (isBigEndian, false, 24)
      default: break
      }
    }
    return nil
  }

  @inline(__always)
  private func word(_ bytes: Span<UInt8>, _ offset: Int) -> UInt32 {
    bytes.number(UInt32.self, at: offset, isBigEndian: isBigEndian)
  }

  @inline(__always)
  func includedCount(_ bytes: Span<UInt8>, at start: Int) -> UInt32 { word(bytes, start &+ 8) }

  @inline(__always)
  func originalCount(_ bytes: Span<UInt8>, at start: Int) -> UInt32 { word(bytes, start &+ 12) }

  @inline(__always)
  func lostCount(_ bytes: Span<UInt8>, at start: Int) -> UInt32 { 0 }

  @inline(__always)
  func time(_ bytes: Span<UInt8>, at start: Int) -> Int64 {
    let fraction = Int64(word(bytes, start &+ 4))
    return Int64(word(bytes, start)) &* 1_000_000
      &+ (isNanoseconds ? fraction / 1000 : fraction)
  }

  func isPlausible(_ bytes: Span<UInt8>, at start: Int) -> Bool {
    word(bytes, start &+ 4) < (isNanoseconds ? 1_000_000_000 : 1_000_000)
      && includedCount(bytes, at: start) > 0
  }

  @inline(__always)
  func packet(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> CapturePacket {
    linkType.packet(bytes, from: start &+ headerCount, to: end)
  }
}
