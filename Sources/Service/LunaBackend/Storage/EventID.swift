import Bluetooth
public import LunaCore
public import LunaCrypto
import LunaProtocol

/// What tells one event from another: the first 16 bytes of a SHA-256 over what the event is. The
/// same event, sent any number of times, by whatever way, has the same.
public struct EventID: Hashable, Sendable {
  /// The number of bytes.
  public static let byteCount = 16

  /// The bytes, the first one most significant.
  public let high: UInt64
  /// Bytes 8 to 15, likewise.
  public let low: UInt64

  /// An identity from its halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads 16 bytes.
  ///
  /// - Returns: nil for another number of bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == EventID.byteCount else { return nil }
    high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The domain tag behind its length.
  private static let tag: [UInt8] = [0, 12] + Array("luna/1/event".utf8)

  /// The identity of an event: domain tag, version (1 byte), day (4 bytes, days since 1970), heid,
  /// location and status field, each behind its length in 2 bytes; all numbers big-endian.
  public init(_ event: TrackerEvent, using hash: inout SHA256) {
    var message: [UInt8] = []
    message.reserveCapacity(128)
    func add(_ bytes: Span<UInt8>) {
      message.append(UInt8(truncatingIfNeeded: bytes.count >> 8))
      message.append(UInt8(truncatingIfNeeded: bytes.count))
      for index in bytes.indices { message.append(bytes[index]) }
    }
    message += EventID.tag
    message += [0, 1, UInt8(truncatingIfNeeded: event.protocolVersion), 0, 4]
    withUnsafeBytes(of: event.day.number.bigEndian) { message += $0 }
    add(event.heid.bytes.span)
    add(event.encodedLocation.span)
    add(event.esf.bytes.span)
    hash.update(message.span)
    let digest = hash.finalize()
    var (high, low): (UInt64, UInt64) = (0, 0)
    for index in 0..<8 {
      high = high << 8 | UInt64(digest[index])
      low = low << 8 | UInt64(digest[index + 8])
    }
    self.init(high: high, low: low)
  }

  /// The bytes in their order.
  public var bytes: InlineArray<16, UInt8> {
    InlineArray {
      UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> UInt64(56 &- 8 &* ($0 & 7)))
    }
  }
}

extension EventID: Comparable {
  /// Orders by the bytes.
  public static func < (left: EventID, right: EventID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
