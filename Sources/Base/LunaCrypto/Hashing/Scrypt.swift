import COpenSSL

/// scrypt (RFC 7914): a key from a passphrase, made costly to guess.
public struct Scrypt: Hashable, Sendable {
  /// The CPU and memory cost N: a power of two above 1.
  public var cost: UInt64
  /// The block size r, 1 or more: 128 * r bytes are mixed at a time.
  public var blockSize: UInt64
  /// How many mixes are made, p: 1 or more, and p * r below 2^30 (RFC 7914, 2).
  public var parallelization: UInt64

  /// About 0.1 s and 32 MiB: N = 2^15, r = 8, p = 1.
  public static let interactive = Scrypt(cost: 1 << 15, blockSize: 8, parallelization: 1)

  /// Parameters of one's own.
  public init(cost: UInt64, blockSize: UInt64, parallelization: UInt64) {
    self.cost = cost
    self.blockSize = blockSize
    self.parallelization = parallelization
  }

  /// The key of `count` bytes for a passphrase.
  ///
  /// - Parameters:
  ///   - memoryLimit: what the derivation may use, bytes; 128 * r * N are needed and a little more.
  /// - Throws: ``CryptoError`` with OpenSSL's reason when the parameters are not valid or need more
  ///   memory.
  public func key(
    passphrase: Span<UInt8>, salt: Span<UInt8>, count: Int, memoryLimit: UInt64 = 128 << 20
  ) throws(CryptoError) -> SecretBytes {
    guard count > 0 else { throw CryptoError(.length, "scrypt", detail: "no bytes asked for") }
    var key = [UInt8](repeating: 0, count: count)
    defer { wipe(&key) }
    let result = unsafe passphrase.withPointer { phrase in
      unsafe salt.withPointer { saltBytes in
        unsafe key.withUnsafeMutableBufferPointer { key in
          unsafe phrase.withMemoryRebound(to: CChar.self, capacity: passphrase.count) { phrase in
            unsafe EVP_PBE_scrypt(
              phrase, passphrase.count, saltBytes, salt.count, cost, blockSize, parallelization,
              memoryLimit, key.baseAddress, count)
          }
        }
      }
    }
    guard result == 1 else { throw .fromOpenSSL(.failed, "scrypt") }
    return SecretBytes(copying: key.span)
  }
}
