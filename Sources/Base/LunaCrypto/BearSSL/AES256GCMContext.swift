import CBearSSL

/// A context of BearSSL for AES-256-GCM. Who calls it has checked the lengths.
@safe struct AES256GCMContext: ~Copyable, @unchecked Sendable {
  private let keys: Owned<br_aes_ct_ctr_keys>
  private let context: Owned<br_gcm_context>

  /// - Parameter key: 32 bytes.
  init(key: Span<UInt8>) throws(CryptoError) {
    unsafe keys = Owned(br_aes_ct_ctr_keys())
    unsafe context = Owned(br_gcm_context())
    use(key)
  }

  /// Goes on under another key.
  mutating func setKey(_ key: InlineArray<32, UInt8>) { use(key.span) }

  /// Puts ciphertext and tag into `output`.
  mutating func seal(
    _ plaintext: Span<UInt8>, nonce: InlineArray<12, UInt8>, associatedData: Span<UInt8>,
    into output: inout MutableSpan<UInt8>
  ) {
    start(nonce, associatedData)
    for index in plaintext.indices { output[index] = plaintext[index] }
    unsafe output.withUnsafeMutableBufferPointer { output in
      guard let base = output.baseAddress else { return }
      unsafe br_gcm_run(context.pointer, 1, base, plaintext.count)
      unsafe br_gcm_get_tag(context.pointer, base + plaintext.count)
    }
  }

  /// Puts the plaintext into `output`, and zeros when the tag is wrong.
  mutating func open(
    _ sealed: Span<UInt8>, nonce: InlineArray<12, UInt8>, associatedData: Span<UInt8>,
    into output: inout MutableSpan<UInt8>
  ) -> Bool {
    start(nonce, associatedData)
    for index in output.indices { output[index] = sealed[index] }
    return unsafe output.withUnsafeMutableBufferPointer { output in
      if let base = output.baseAddress { unsafe br_gcm_run(context.pointer, 0, base, output.count) }
      let isAuthentic = unsafe sealed.withPointer {
        unsafe br_gcm_check_tag(context.pointer, $0 + output.count) == 1
      }
      if !isAuthentic { unsafe Memory.wipe(output) }
      return isAuthentic
    }
  }

  private func use(_ key: Span<UInt8>) {
    unsafe key.withPointer {
      unsafe luna_gcm_set_key(context.pointer, keys.pointer, $0, key.count)
    }
  }

  private func start(_ nonce: InlineArray<12, UInt8>, _ associatedData: Span<UInt8>) {
    unsafe nonce.span.withPointer { unsafe br_gcm_reset(context.pointer, $0, nonce.count) }
    unsafe associatedData.withPointer {
      unsafe br_gcm_aad_inject(context.pointer, $0, associatedData.count)
    }
    unsafe br_gcm_flip(context.pointer)
  }
}
