/// An object of libcrypto that is freed with this value.
@safe struct Owned: ~Copyable {
  let pointer: OpaquePointer
  private let free: @convention(c) (OpaquePointer?) -> Void

  /// Takes over what an OpenSSL constructor gave.
  ///
  /// - Throws: OpenSSL's error when it gave nothing.
  init(
    _ pointer: OpaquePointer?, _ operation: String,
    free: @escaping @convention(c) (OpaquePointer?) -> Void
  ) throws(CryptoError) {
    guard let pointer = unsafe pointer else { throw .fromOpenSSL(.failed, operation) }
    unsafe self.pointer = pointer
    unsafe self.free = free
  }

  deinit { unsafe free(pointer) }
}
