/// Bytes that must not leak: a key or a code. The memory is wiped when the last copy of the value
/// goes, comparison takes constant time, and descriptions and mirrors show nothing but the length.
public struct SecretBytes: Sendable {
  @safe private final class Storage: @unchecked Sendable {
    let buffer: UnsafeMutableBufferPointer<UInt8>

    init(copying bytes: Span<UInt8>) {
      unsafe buffer = .allocate(capacity: bytes.count)
      for index in bytes.indices { unsafe buffer.initializeElement(at: index, to: bytes[index]) }
    }

    deinit {
      unsafe Memory.wipe(buffer)
      unsafe buffer.deallocate()
    }
  }

  private let storage: Storage

  /// A secret of `bytes`. The caller wipes its own copy.
  public init(copying bytes: Span<UInt8>) {
    storage = Storage(copying: bytes)
  }

  /// The number of bytes.
  public var count: Int { unsafe storage.buffer.count }

  /// Lends the bytes to `body`, which must not keep a copy that is not wiped.
  @inline(__always)
  public func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Not the closure form, over which the optimiser of Swift 6.3.1 crashes.
    defer { withExtendedLifetime(storage) {} }
    let buffer = unsafe storage.buffer
    return try unsafe body(buffer.span)
  }
}

extension SecretBytes: Equatable {
  /// Compares in constant time.
  public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
    left.withBytes { a in right.withBytes { b in constantTimeEqual(a, b) } }
  }
}

extension SecretBytes: CustomStringConvertible {
  /// The length alone.
  public var description: String { "<\(count) secret bytes>" }
}

#if !hasFeature(Embedded)  // Nothing has a mirror on a device.
  extension SecretBytes: CustomReflectable {
    /// Shows nothing, so that `dump` and interpolated containers do not either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
  }
#endif
