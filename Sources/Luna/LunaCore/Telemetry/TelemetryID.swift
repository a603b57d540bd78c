/// Names a telemetry item, so that one that is sent twice is counted once: 16 random bytes.
public struct TelemetryID: Hashable, Sendable {
  /// The first eight bytes.
  public let high: UInt64
  /// The last eight bytes, the first of them most significant.
  public let low: UInt64

  /// An identifier of its halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A new one.
  ///
  /// - Parameter generator: a random one; what repeats itself has the backend drop items as known.
  public init(using generator: inout some RandomNumberGenerator) {
    self.init(high: generator.next(), low: generator.next())
  }

  /// The identifier of 16 bytes; nil for another number of them.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
      bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
    self.init(high: number(bytes[..<8]), low: number(bytes[8...]))
  }

  /// Reads 32 hexadecimal digits in lower case.
  public init?(_ text: String) {
    guard text.utf8.count == 32,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
      let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }

  /// The 16 bytes, those of ``high`` first.
  public var bytes: [UInt8] {
    [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
  }
}

extension TelemetryID: CustomStringConvertible {
  /// 32 hexadecimal digits in lower case.
  public var description: String {
    [high, low].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }
}
