/// The advertising data of a report: up to 31 bytes in place, more (extended advertising) on the heap.
public struct AdvertisingPayload: Sendable {
  /// What fits without an allocation: the data of a legacy PDU.
  public static let inlineCapacity = 31

  /// The most that an advertisement can hold over all its fragments
  /// (Core Specification, Vol 4, Part E, 7.8.57).
  public static let maximumCount = 1650

  /// Four words long, so that it can be compared and hashed by words; zero behind the data.
  @usableFromInline var inline: InlineArray<32, UInt8>
  @usableFromInline var inlineCount: UInt8
  @usableFromInline var overflow: [UInt8]?

  /// A payload of no bytes, as reports have that carry no data.
  public init() {
    inline = InlineArray(repeating: 0)
    inlineCount = 0
    overflow = nil
  }

  /// Copies `count` bytes of `bytes` from `offset`; what lies outside `bytes` is left out.
  @inlinable @inline(__always)
  public init(copying bytes: Span<UInt8>, from offset: Int = 0, count: Int) {
    let start = min(max(0, offset), bytes.count)
    let count = min(max(0, count), bytes.count - start)
    if count <= AdvertisingPayload.inlineCapacity {
      self.init(
        inline: AdvertisingPayload.inlined(bytes, start, count),
        inlineCount: UInt8(truncatingIfNeeded: count), overflow: nil)
    } else {
      let copy = unsafe bytes.extracting(start..<start &+ count).withUnsafeBytes {
        unsafe Array($0)
      }
      self.init(inline: InlineArray(repeating: 0), inlineCount: 0, overflow: copy)
    }
  }

  @inlinable
  init(inline: InlineArray<32, UInt8>, inlineCount: UInt8, overflow: [UInt8]?) {
    self.inline = inline
    self.inlineCount = inlineCount
    self.overflow = overflow
  }

  /// One copy, not a loop: this is the most expensive step of reading a report.
  @inlinable @inline(__always)
  static func inlined(
    _ bytes: Span<UInt8>, _ start: Int, _ count: Int
  ) -> InlineArray<32, UInt8> {
    var copy = InlineArray<32, UInt8>(repeating: 0)
    unsafe bytes.extracting(start..<start &+ count).withUnsafeBytes { source in
      unsafe withUnsafeMutableBytes(of: &copy) { unsafe $0.copyMemory(from: source) }
    }
    return copy
  }

  /// A payload of `bytes`.
  public init(_ bytes: [UInt8]) {
    self.init(copying: bytes.span, count: bytes.count)
  }

  /// The number of bytes.
  @inlinable public var count: Int { overflow?.count ?? Int(inlineCount) }

  /// Lends the bytes to `body`.
  @inlinable
  public func withBytes<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    if let overflow { return try body(overflow.span) }
    return try body(inline.span.extracting(first: Int(inlineCount)))
  }

  /// The bytes as four words (little-endian, zero behind the end), for hashing and comparing; nil
  /// when there are more than ``inlineCapacity``.
  @inlinable public var words: InlineArray<4, UInt64>? {
    guard overflow == nil else { return nil }
    return unsafe unsafeBitCast(inline, to: InlineArray<4, UInt64>.self)
  }

  /// The bytes as an array.
  public var bytes: [UInt8] {
    if let overflow { return overflow }
    return (0..<Int(inlineCount)).map { inline[$0] }
  }
}

extension AdvertisingPayload: Hashable {
  /// Equal when the bytes are.
  public static func == (left: AdvertisingPayload, right: AdvertisingPayload) -> Bool {
    guard left.count == right.count else { return false }
    return left.withBytes { a in
      right.withBytes { b in
        for index in 0..<a.count where a[index] != b[index] { return false }
        return true
      }
    }
  }

  /// Feeds the bytes.
  public func hash(into hasher: inout Hasher) {
    withBytes { bytes in
      for index in 0..<bytes.count { hasher.combine(bytes[index]) }
    }
  }
}
