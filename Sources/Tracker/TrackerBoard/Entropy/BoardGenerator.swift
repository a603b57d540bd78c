import LunaCrypto

/// The random numbers of a board: HMAC_DRBG with SHA-256 (NIST SP 800-90A, 10.1.2), which is what the raw bytes of the
/// hardware become before anything is made of them.
package struct BoardGenerator: RandomNumberGenerator {
  /// The raw bytes that a board collects at its start, at least.
  package static let entropyCount = 1024

  private var key = [UInt8](repeating: 0x00, count: HMACSHA256.byteCount)
  private var value = [UInt8](repeating: 0x01, count: HMACSHA256.byteCount)
  /// How many bytes of ``value`` are used up.
  private var used = HMACSHA256.byteCount
  /// Whether numbers were given out: then what led to them is forgotten before there are more.
  private var hasServed = false

  /// A generator of the raw bytes of a source.
  ///
  /// - Returns: nil when the source has broken down, or gives too little: nothing may be made of it.
  package init?(entropy: Span<UInt8>) {
    guard entropy.count >= BoardGenerator.entropyCount, EntropyCheck.passes(entropy) else {
      return nil
    }
    self.init(seed: entropy)
  }

  /// A generator of a seed that is known to be good.
  init(seed: Span<UInt8>) {
    replaceKey(0x00, seed)
    replaceKey(0x01, seed)
  }

  /// The next number.
  package mutating func next() -> UInt64 {
    var number: UInt64 = 0
    for _ in 0..<8 { number = number << 8 | UInt64(nextByte()) }
    return number
  }

  private mutating func nextByte() -> UInt8 {
    if used == HMACSHA256.byteCount {
      let none: [UInt8] = []
      if hasServed { replaceKey(0x00, none.span) }
      hasServed = true
      replaceValue()
      used = 0
    }
    used += 1
    return value[used - 1]
  }

  /// A step of HMAC_DRBG_Update (10.1.2.2), which has two of them where there is data.
  private mutating func replaceKey(_ separator: UInt8, _ data: Span<UInt8>) {
    let middle: [UInt8] = [separator]
    var next = code(middle.span, data)
    swap(&key, &next)
    wipe(&next)
    replaceValue()
  }

  private mutating func replaceValue() {
    let none: [UInt8] = []
    var next = code(none.span, none.span)
    swap(&value, &next)
    wipe(&next)
  }

  /// The code of the value and of what stands behind it.
  private func code(_ middle: Span<UInt8>, _ data: Span<UInt8>) -> [UInt8] {
    do throws(CryptoError) {
      var code = try HMACSHA256(key: key.span)
      code.update(value.span)
      code.update(middle)
      code.update(data)
      let digest = code.finalize()
      return digest.indices.map { digest[$0] }
    } catch {
      // There are no numbers without it, and a board without numbers must not go on.
      preconditionFailure("HMAC-SHA-256 failed")
    }
  }
}
