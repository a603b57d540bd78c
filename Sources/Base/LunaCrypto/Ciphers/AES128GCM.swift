import COpenSSL

/// AES-128-GCM (NIST SP 800-38D), as Web Push has it (RFC 8188).
package enum AES128GCM {
  /// Encrypts and authenticates, once under a key.
  ///
  /// - Parameters:
  ///   - key: 16 bytes.
  ///   - nonce: 12 bytes.
  /// - Returns: ciphertext and tag.
  /// - Throws: ``CryptoError`` for other lengths, and when libcrypto does not offer the cipher.
  package static func seal(
    _ plaintext: Span<UInt8>, key: SecretBytes, nonce: SecretBytes
  ) throws(CryptoError) -> [UInt8] {
    guard key.count == 16, nonce.count == 12 else {
      throw CryptoError(.length, "AES-128-GCM", detail: "16 and 12 bytes")
    }
    let cipher = try unsafe Fetched.aes128GCM.get("AES-128-GCM")
    let context = try unsafe Owned(
      EVP_CIPHER_CTX_new(), "AES-128-GCM", free: EVP_CIPHER_CTX_free)
    let begun = key.withBytes { key in
      nonce.withBytes { nonce in
        unsafe key.withPointer { key in
          unsafe nonce.withPointer { nonce in
            unsafe EVP_CipherInit_ex2(context.pointer, cipher, key, nonce, 1, nil)
          }
        }
      }
    }
    guard begun == 1 else { throw .fromOpenSSL(.failed, "AES-128-GCM") }
    var output = [UInt8](repeating: 0, count: plaintext.count + 16)
    var count: Int32 = 0
    unsafe output.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      unsafe plaintext.withPointer {
        unsafe require(
          EVP_CipherUpdate(context.pointer, base, &count, $0, Int32(plaintext.count)),
          "AES-128-GCM seal")
      }
      let tag = unsafe base + plaintext.count
      unsafe require(EVP_CipherFinal_ex(context.pointer, tag, &count), "AES-128-GCM seal")
      unsafe require(
        EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_GET_TAG, 16, tag), "AES-128-GCM tag")
    }
    return output
  }
}
