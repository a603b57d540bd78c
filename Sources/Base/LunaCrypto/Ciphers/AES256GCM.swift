import COpenSSL

/// AES-256-GCM (NIST SP 800-38D) with 12-byte nonces and 16-byte tags, in a context that is kept.
@safe public struct AES256GCM: ~Copyable, @unchecked Sendable {
  /// The number of bytes of a key.
  public static let keyCount = 32
  /// The number of bytes that a sealed message is longer.
  public static let tagCount = 16

  private let context: Owned

  /// A context under `key`.
  ///
  /// - Throws: ``CryptoError`` when the key has not 32 bytes, or libcrypto does not offer the cipher.
  public init(key: Span<UInt8>) throws(CryptoError) {
    guard key.count == AES256GCM.keyCount else {
      throw CryptoError(.length, "AES-256-GCM key", detail: "32 bytes, not \(key.count)")
    }
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
  public mutating func setKey(_ key: InlineArray<32, UInt8>) {
    unsafe key.span.withPointer {
      unsafe require(EVP_CipherInit_ex2(context.pointer, nil, $0, nil, 1, nil), "AES-256-GCM key")
    }
  }

  /// Encrypts and authenticates.
  ///
  /// - Parameters:
  ///   - nonce: never to be used twice under one key.
  ///   - output: takes ciphertext and tag; 16 bytes longer than `plaintext`.
  public mutating func seal(
    _ plaintext: Span<UInt8>, nonce: InlineArray<12, UInt8>, associatedData: Span<UInt8>,
    into output: inout MutableSpan<UInt8>
  ) {
    precondition(output.count == plaintext.count + AES256GCM.tagCount, "AES-256-GCM output length")
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

  /// Decrypts what ``seal(_:nonce:associatedData:into:)`` made.
  ///
  /// - Parameter output: takes the plaintext, 16 bytes shorter than `sealed`; zeroed when the tag is
  ///   wrong.
  /// - Returns: whether the tag belongs to this key, nonce, data and associated data; false also
  ///   when `sealed` is shorter than a tag.
  public mutating func open(
    _ sealed: Span<UInt8>, nonce: InlineArray<12, UInt8>, associatedData: Span<UInt8>,
    into output: inout MutableSpan<UInt8>
  ) -> Bool {
    guard sealed.count >= AES256GCM.tagCount else { return false }
    let count = sealed.count - AES256GCM.tagCount
    precondition(output.count == count, "AES-256-GCM output length")
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
          unsafe OPENSSL_cleanse(base, count)
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
