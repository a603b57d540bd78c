import CBearSSL

/// What is done with the memory of secrets.
enum Memory {
  /// Overwrites it. The compiler does not remove this call.
  static func wipe(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress else { return }
    unsafe luna_wipe(base, bytes.count)
  }

  /// Compares as many bytes of both, in a time that depends on their number only.
  static func isEqual(
    _ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, count: Int
  ) -> Bool {
    unsafe luna_is_equal(left, right, count) == 1
  }
}
