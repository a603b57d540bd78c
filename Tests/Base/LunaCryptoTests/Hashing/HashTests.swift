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
