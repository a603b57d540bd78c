/// A fixed number of bytes, held in place.
public struct Octets<let count: Int>: Sendable {
  /// The bytes; `bytes.span` lends them.
  public let bytes: InlineArray<count, UInt8>

  /// Bytes that are there already, in their order.
  @inlinable
  public init(_ bytes: InlineArray<count, UInt8>) { self.bytes = bytes }

  /// Copies `count` bytes of `source` from `offset`. The caller has checked that they are there.
  @inlinable
  init(_ source: Span<UInt8>, at offset: Int) {
    bytes = InlineArray { source[offset &+ $0] }
  }
}

extension Octets: Hashable {
  /// Equal when all bytes are.
  public static func == (left: Octets, right: Octets) -> Bool {
    for index in 0..<count where left.bytes[index] != right.bytes[index] { return false }
    return true
  }

  /// Feeds the bytes.
  public func hash(into hasher: inout Hasher) {
    for index in 0..<count { hasher.combine(bytes[index]) }
  }
}
