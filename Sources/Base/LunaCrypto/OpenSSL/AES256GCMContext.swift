import COpenSSL

/// A context of libcrypto for AES-256-GCM. Who calls it has checked the lengths.
@safe struct AES256GCMContext: ~Copyable, @unchecked Sendable {
  private let context: Owned

  /// - Parameter key: 32 bytes.
  init(key: Span<UInt8>) throws(CryptoError) {
    let cipher = try unsafe Fetched.aes256GCM.get("AES-256-GCM")
    let context = try unsafe Owned(
      EVP_CIPHER_CTX_new(), "AES-256-GCM", free: EVP_CIPHER_CTX_free)
    let result = unsafe key.withPointer {
      unsafe EVP_CipherInit_ex2(context.pointer, cipher, $0, nil, 1, nil)
    }
    guard result == 1 else { throw .fromOpenSSL(.unavailable, "AES-256-GCM") }
    self.context = context
  }

  /// Goes on under another key.
  mutating func setKey(_ key: InlineArray<32, UInt8>) {
    unsafe key.span.withPointer {
      unsafe require(EVP_CipherInit_ex2(context.pointer, nil, $0, nil, 1, nil), "AES-256-GCM key")
    }
  }

  /// Puts ciphertext and tag into `output`.
  mutating func seal(
    _ plaintext: Span<UInt8>, nonce: InlineArray<12, UInt8>, associatedData: Span<UInt8>,
    into output: inout MutableSpan<UInt8>
  ) {
    start(nonce, associatedData, encrypting: 1)
    unsafe output.withUnsafeMutableBufferPointer { output in
      guard let base = output.baseAddress else { return }
      var count: Int32 = 0
      unsafe plaintext.withPointer {
        unsafe require(
          EVP_CipherUpdate(context.pointer, base, &count, $0, Int32(plaintext.count)),
          "AES-256-GCM seal")
      }
      let tag = unsafe base + plaintext.count
      unsafe require(EVP_CipherFinal_ex(context.pointer, tag, &count), "AES-256-GCM seal")
      unsafe require(
        EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_GET_TAG, 16, tag), "AES-256-GCM tag")
    }
  }

  /// Puts the plaintext into `output`, and zeros when the tag is wrong.
  mutating func open(
    _ sealed: Span<UInt8>, nonce: InlineArray<12, UInt8>, associatedData: Span<UInt8>,
    into output: inout MutableSpan<UInt8>
  ) -> Bool {
    let count = output.count
    start(nonce, associatedData, encrypting: 0)
    return unsafe output.withUnsafeMutableBufferPointer { output in
      var written: Int32 = 0
      var nothing: UInt8 = 0
      return unsafe withUnsafeMutablePointer(to: &nothing) { nothing in
        let base = unsafe output.baseAddress ?? nothing
        return unsafe sealed.withPointer { input in
          unsafe require(
            EVP_CipherUpdate(context.pointer, base, &written, input, Int32(count)),
            "AES-256-GCM open")
          let tag = unsafe UnsafeMutableRawPointer(mutating: input + count)
          unsafe require(
            EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_SET_TAG, 16, tag),
            "AES-256-GCM tag")
          if unsafe EVP_CipherFinal_ex(context.pointer, nothing, &written) == 1 { return true }
          ERR_clear_error()
          unsafe Memory.wipe(output)
          return false
        }
      }
    }
  }

  private func start(
    _ nonce: InlineArray<12, UInt8>, _ associatedData: Span<UInt8>, encrypting: Int32
  ) {
    unsafe nonce.span.withPointer {
      unsafe require(
        EVP_CipherInit_ex2(context.pointer, nil, nil, $0, encrypting, nil), "AES-256-GCM nonce")
    }
    guard !associatedData.isEmpty else { return }
    var count: Int32 = 0
    unsafe associatedData.withPointer {
      unsafe require(
        EVP_CipherUpdate(context.pointer, nil, &count, $0, Int32(associatedData.count)),
        "AES-256-GCM data")
    }
  }
}
