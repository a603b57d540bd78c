/// A place in the bytes at hand, which is also a place in the file.
struct CaptureCursor: Sendable {
  /// The offset in the bytes.
  var position: Int
  /// The offset in the file.
  var offset: UInt64

  @inline(__always)
  mutating func advance(_ count: Int) {
    position &+= count
    offset &+= UInt64(truncatingIfNeeded: count)
  }
}
