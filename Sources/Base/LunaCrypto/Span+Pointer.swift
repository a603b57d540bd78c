extension Span<UInt8> {
  /// Lends a pointer that is never nil, as C wants it even for no bytes at all.
  @inline(__always)
  func withPointer<Result, Failure: Error>(
    _ body: (UnsafePointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafeBufferPointer { (buffer) throws(Failure) -> Result in
      if let base = buffer.baseAddress { return try unsafe body(base) }
      var nothing: UInt8 = 0
      return try unsafe body(&nothing)
    }
  }
}
