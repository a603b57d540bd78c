/// HKDF with SHA-256 (RFC 5869).
public enum HKDFSHA256 {
  /// The most that one expansion can give, bytes.
  public static let maximumCount = 255 * 32

  /// The pseudorandom key of `inputKey` (section 2.2).
  ///
  /// - Throws: ``CryptoError`` when libcrypto does not offer HMAC-SHA256.
  public static func extract(
    salt: Span<UInt8>, inputKey: Span<UInt8>
  ) throws(CryptoError) -> SecretBytes {
    var hmac = try HMACSHA256(key: salt)
    var prk = hmac.code(for: inputKey)
    defer { wipe(&prk) }
    return SecretBytes(copying: prk.span)
  }

  /// Output keying material of `count` bytes, 0 to ``maximumCount`` (section 2.3).
  ///
  /// - Throws: ``CryptoError`` of kind `length` for other counts.
  public static func expand(
    _ prk: SecretBytes, info: Span<UInt8>, count: Int
  ) throws(CryptoError) -> SecretBytes {
    guard 0...maximumCount ~= count else {
      throw CryptoError(.length, "HKDF", detail: "0 to \(maximumCount) bytes, not \(count)")
    }
    var hmac = try prk.withBytes { (key) throws(CryptoError) in try HMACSHA256(key: key) }
    var output: [UInt8] = []
    output.reserveCapacity(count)
    var block = InlineArray<32, UInt8>(repeating: 0)
    defer {
      wipe(&block)
      wipe(&output)
    }
    var number: UInt8 = 0
    while output.count < count {
      if number > 0 { hmac.update(block.span) }
      number += 1
      let counter: InlineArray<1, UInt8> = [number]
      hmac.update(info)
      block = hmac.code(for: counter.span)
      for index in 0..<min(32, count - output.count) { output.append(block[index]) }
    }
    return SecretBytes(copying: output.span)
  }
}
