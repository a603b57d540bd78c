/// What an interactive package answers to (PROTOCOL.md, 13): read on the connection, good for one
/// write and 30 s.
public struct ControlChallenge: Sendable {
  /// The number of bytes.
  public static let byteCount = 20
  /// How long it lives, ms.
  public static let lifetime: Int64 = 30_000

  /// 16 random bytes of the tracker, new with each connection.
  public let nonce: InlineArray<16, UInt8>
  /// The start of the period on air, Unix s.
  public let clockHint: UInt32

  /// A challenge of a nonce and a hint.
  public init(nonce: InlineArray<16, UInt8>, clockHint: UInt32) {
    self.nonce = nonce
    self.clockHint = clockHint
  }

  /// A challenge of a tracker that shows `period`; its hint is the start of that, or the end of 2^32 seconds, which do
  /// not wrap.
  public init(nonce: InlineArray<16, UInt8>, onAir period: UInt32) {
    self.init(nonce: nonce, clockHint: UInt32(clamping: Int64(period) * Period.seconds))
  }

  /// Reads a challenge.
  ///
  /// - Returns: nil when there are not 20 bytes.
  public init?(_ bytes: Span<UInt8>) {
    guard bytes.count == ControlChallenge.byteCount else { return nil }
    self.init(
      nonce: InlineArray { bytes[$0] },
      clockHint: UInt32(truncatingIfNeeded: bytes.bigEndian(at: 16, count: 4)))
  }

  /// The nonce and, big-endian, the hint (PROTOCOL.md, 13).
  public var encoded: InlineArray<20, UInt8> {
    var bytes = InlineArray<20, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    span.set(nonce.span, at: 0)
    span.setBigEndian(UInt64(clockHint), at: 16, count: 4)
    return bytes
  }
}

extension ControlChallenge: Hashable {
  /// Equal when the bytes are.
  public static func == (left: ControlChallenge, right: ControlChallenge) -> Bool {
    let (one, other) = (left.encoded, right.encoded)
    for index in one.indices where one[index] != other[index] { return false }
    return true
  }

  /// Feeds the bytes.
  public func hash(into hasher: inout Hasher) {
    let bytes = encoded
    for index in bytes.indices { hasher.combine(bytes[index]) }
  }
}
