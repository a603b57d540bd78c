import COpenSSL

/// AES-128 on single blocks.
public typealias AES128Blocks = AESBlocks<16>
/// AES-256 on single blocks.
public typealias AES256Blocks = AESBlocks<32>

/// AES on single blocks (FIPS 197; the ECB mode of NIST SP 800-38A), many in one call: what rotating
/// identifiers are made of. Not for messages. Keys have 16 or 32 bytes.
@safe public struct AESBlocks<let keyCount: Int>: ~Copyable, @unchecked Sendable {
  private let context: Owned

  /// A context that has yet to be given a key.
  ///
  /// - Throws: ``CryptoError`` when libcrypto does not offer the cipher.
  public init() throws(CryptoError) {
    let name = "AES-\(8 * keyCount)-ECB"
    let cipher: OpaquePointer
    switch keyCount {
    case 16: unsafe cipher = try Fetched.aes128ECB.get(name)
    case 32: unsafe cipher = try Fetched.aes256ECB.get(name)
    default: throw CryptoError(.length, name, detail: "keys have 16 or 32 bytes")
    }
    let context = try unsafe Owned(EVP_CIPHER_CTX_new(), name, free: EVP_CIPHER_CTX_free)
    let zero = InlineArray<keyCount, UInt8>(repeating: 0)
    let result = unsafe zero.span.withPointer {
      unsafe EVP_EncryptInit_ex2(context.pointer, cipher, $0, nil, nil)
    }
    guard result == 1 else { throw .fromOpenSSL(.unavailable, name) }
    unsafe require(EVP_CIPHER_CTX_set_padding(context.pointer, 0), "AES padding")
    self.context = context
  }

  /// Goes on under `key`.
  public mutating func setKey(_ key: InlineArray<keyCount, UInt8>) {
    unsafe key.span.withPointer {
      unsafe require(EVP_EncryptInit_ex2(context.pointer, nil, $0, nil, nil), "AES key")
    }
  }

  /// Goes on under `key`.
  ///
  /// - Throws: ``CryptoError`` when the key has another length.
  public mutating func setKey(_ key: SecretBytes) throws(CryptoError) {
    guard key.count == keyCount else {
      throw CryptoError(.length, "AES key", detail: "\(keyCount) bytes, not \(key.count)")
    }
    var bytes = key.withBytes { key in InlineArray<keyCount, UInt8> { key[$0] } }
    defer { wipe(&bytes) }
    setKey(bytes)
  }

  /// Encrypts whole blocks, each for itself.
  ///
  /// - Parameters:
  ///   - blocks: a multiple of 16 bytes.
  ///   - output: at least as long.
  public mutating func encrypt(_ blocks: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    precondition(output.count >= blocks.count && blocks.count % 16 == 0, "AES block length")
    guard !blocks.isEmpty else { return }
    unsafe output.withUnsafeMutableBufferPointer { output in
      var count: Int32 = 0
      unsafe blocks.withPointer {
        unsafe require(
          EVP_EncryptUpdate(context.pointer, output.baseAddress, &count, $0, Int32(blocks.count)),
          "AES")
      }
    }
  }

  /// Encrypts one block of 16 bytes (FIPS 197, 5.1), without a chain to those before.
  public mutating func encrypt(_ block: InlineArray<16, UInt8>) -> InlineArray<16, UInt8> {
    var output = InlineArray<16, UInt8>(repeating: 0)
    var span = output.mutableSpan
    encrypt(block.span, into: &span)
    return output
  }
}
