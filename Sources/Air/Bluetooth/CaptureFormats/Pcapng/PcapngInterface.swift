/// What an Interface Description Block says about its packets.
struct PcapngInterface: Sendable {
  /// The number of the link type.
  let link: UInt16
  /// nil when Luna does not read it.
  let linkType: LinkType?
  /// The most bytes kept of a packet; 0 for all.
  let snapshotCount: UInt32
  /// Units of time in a second: a power of ten or of two; nil where they are so small that no time of this
  /// century can be said with them.
  private let unitsPerSecond: UInt64?
  /// Seconds to add to every time.
  private let offset: Int64

  /// Reads the body of a block, from behind type and length up to the closing length.
  ///
  /// - Returns: nil when it is too short.
  init?(_ body: Span<UInt8>, isBigEndian: Bool) {
    guard body.count >= 8 else { return nil }
    link = body.number(UInt16.self, at: 0, isBigEndian: isBigEndian)
    linkType = LinkType(rawValue: link)
    snapshotCount = body.number(UInt32.self, at: 4, isBigEndian: isBigEndian)
    var units: UInt64? = 1_000_000
    var offset: Int64 = 0
    // options: code, length, value, filled up to a multiple of four
    var position = 8
    while body.count - position >= 4 {
      let code = body.number(UInt16.self, at: position, isBigEndian: isBigEndian)
      let count = Int(body.number(UInt16.self, at: position + 2, isBigEndian: isBigEndian))
      guard code != 0, body.count - position - 4 >= count else { break }
      switch (code, count) {
      case (9, 1...): units = PcapngInterface.units(resolution: body[position + 4])
      case (14, 8...):
        offset = body.number(Int64.self, at: position + 4, isBigEndian: isBigEndian)
      default: break
      }
      position += 4 + (count + 3) / 4 * 4
    }
    unitsPerSecond = units
    self.offset = offset
  }

  /// `if_tsresol`: a negative power of ten, or of two when the top bit is set; nil beyond 64 bits.
  private static func units(resolution: UInt8) -> UInt64? {
    let exponent = Int(resolution & 0x7F)
    if resolution & 0x80 != 0 { return exponent < 64 ? 1 << UInt64(exponent) : nil }
    guard exponent <= 19 else { return nil }
    return (0..<exponent).reduce(1) { units, _ in units * 10 }
  }

  /// A time of the block format as a moment; unknown when no number of 64 bits holds it.
  func timestamp(high: UInt32, low: UInt32) -> Timestamp {
    guard let unitsPerSecond else { return .unknown }
    let units = UInt64(high) << 32 | UInt64(low)
    let (seconds, rest) = units.quotientAndRemainder(dividingBy: unitsPerSecond)
    let product = rest.multipliedFullWidth(by: 1_000_000)
    // rest < unitsPerSecond, so the quotient fits
    let microseconds = unitsPerSecond.dividingFullWidth(product).quotient
    let total =
      (Int128(seconds) + Int128(offset)) * 1_000_000 + Int128(microseconds)
    return Int64(exactly: total).map { Timestamp(microseconds: $0) } ?? .unknown
  }
}
