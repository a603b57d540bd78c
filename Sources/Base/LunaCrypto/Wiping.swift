/// Overwrites bytes that held a secret. The compiler does not remove this call.
@inline(__always)
public func wipe<let count: Int>(_ bytes: inout InlineArray<count, UInt8>) {
  var span = bytes.mutableSpan
  unsafe span.withUnsafeMutableBufferPointer { unsafe Memory.wipe($0) }
}

/// Overwrites an array that held a secret, and leaves it zero.
public func wipe(_ bytes: inout [UInt8]) {
  unsafe bytes.withUnsafeMutableBufferPointer { unsafe Memory.wipe($0) }
}

/// Compares in a time that depends on the lengths only.
///
/// - Returns: false when the lengths differ.
public func constantTimeEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
  guard left.count == right.count else { return false }
  return unsafe left.withPointer { a in
    unsafe right.withPointer { b in unsafe Memory.isEqual(a, b, count: left.count) }
  }
}
