import LunaCrypto
import Testing

struct HashTests {
  /// FIPS 180-4 example values.
  static let abc = hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  static let empty = hex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")

  @Test func digests() throws {
    let abc = Array("abc".utf8)
    #expect(array(try SHA256.digest(of: abc.span)) == Self.abc)
    #expect(array(try SHA256.digest(of: [UInt8]().span)) == Self.empty)
  }

  @Test func aDigestStartsAgain() throws {
    let abc = Array("abc".utf8)
    var hash = try SHA256()
    hash.update(abc.span.extracting(first: 1))
    hash.update(abc.span.extracting(1...))
    #expect(array(hash.finalize()) == Self.abc)
    #expect(array(hash.finalize()) == Self.empty)
  }

  /// RFC 4231, 4.2 and 4.3.
  static let first = (
    key: [UInt8](repeating: 0x0B, count: 20), data: Array("Hi There".utf8),
    code: hex("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
  )
  static let second = (
    key: Array("Jefe".utf8), data: Array("what do ya want for nothing?".utf8),
    code: hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  )

  @Test func codesUnderOneKeyAndTheNext() throws {
    var hmac = try HMACSHA256(key: Self.first.key.span)
    for _ in 0..<3 { #expect(array(hmac.code(for: Self.first.data.span)) == Self.first.code) }
    hmac.setKey(Self.second.key.span)
    for _ in 0..<3 { #expect(array(hmac.code(for: Self.second.data.span)) == Self.second.code) }
    hmac.setKey(Self.first.key.span)
    hmac.update(Self.first.data.span.extracting(first: 3))
    hmac.update(Self.first.data.span.extracting(3...))
    #expect(array(hmac.finalize()) == Self.first.code)
  }

  /// RFC 4231, 4.7.
  @Test func aKeyLongerThanABlockIsHashed() throws {
    let key = [UInt8](repeating: 0xAA, count: 131)
    let data = Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
    var hmac = try HMACSHA256(key: key.span)
    let code = hex("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    #expect(array(hmac.code(for: data.span)) == code)
  }

  @Test func aKeySetInTheMiddleDropsTheMessage() throws {
    var hmac = try HMACSHA256()
    hmac.update(Self.first.data.span)
    hmac.setKey(Self.first.key.span)
    #expect(array(hmac.code(for: Self.first.data.span)) == Self.first.code)
  }

  @Test func anEmptyMessageHasACode() throws {
    var hmac = try HMACSHA256()
    let code = hex("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    #expect(array(hmac.finalize()) == code)
    #expect(array(hmac.finalize()) == code)
  }

  /// RFC 5869, A.1.
  @Test func extractionAndExpansion() throws {
    let salt = hex("000102030405060708090a0b0c")
    let inputKey = [UInt8](repeating: 0x0B, count: 22)
    let info = hex("f0f1f2f3f4f5f6f7f8f9")
    let prk = try HKDFSHA256.extract(salt: salt.span, inputKey: inputKey.span)
    #expect(prk == secret("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"))
    let output = secret(
      "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
    #expect(try HKDFSHA256.expand(prk, info: info.span, count: 42) == output)
  }

  @Test func expansionsHaveAsManyBytesAsAskedFor() throws {
    let prk = secret("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
    let info = Array("info".utf8)
    let longest = array(
      try HKDFSHA256.expand(prk, info: info.span, count: HKDFSHA256.maximumCount))
    #expect(longest.count == 8160)
    for count in [0, 1, 31, 32, 33, 64, 65] {
      let some = try HKDFSHA256.expand(prk, info: info.span, count: count)
      #expect(array(some) == Array(longest.prefix(count)))
    }
    for count in [-1, 8161] {
      let error = #expect(throws: CryptoError.self) {
        try HKDFSHA256.expand(prk, info: info.span, count: count)
      }
      #expect(error?.kind == .length)
    }
  }
}
