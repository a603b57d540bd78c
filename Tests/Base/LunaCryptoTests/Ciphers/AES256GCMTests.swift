import Diagnosis
import LunaCrypto
import Testing

struct AES256GCMTests {
  /// The GCM specification, appendix B, test case 16.
  static let key = hex("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
  static let nonce: InlineArray<12, UInt8> = [
    0xCA, 0xFE, 0xBA, 0xBE, 0xFA, 0xCE, 0xDB, 0xAD, 0xDE, 0xCA, 0xF8, 0x88,
  ]
  static let plaintext = hex(
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
      + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39")
  static let data = hex("feedfacedeadbeeffeedfacedeadbeefabaddad2")
  static let sealed = hex(
    "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
      + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
      + "76fc6ece0f4e1768cddf8853bb2d551b")

  private func seal(
    _ cipher: inout AES256GCM, _ plaintext: [UInt8], _ data: [UInt8]
  ) -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: plaintext.count + AES256GCM.tagCount)
    var output = sealed.mutableSpan
    cipher.seal(plaintext.span, nonce: Self.nonce, associatedData: data.span, into: &output)
    return sealed
  }

  private func open(
    _ cipher: inout AES256GCM, _ sealed: [UInt8], _ data: [UInt8]
  ) -> [UInt8]? {
    var plaintext = [UInt8](repeating: 0xAA, count: max(0, sealed.count - AES256GCM.tagCount))
    var output = plaintext.mutableSpan
    let isAuthentic = cipher.open(
      sealed.span, nonce: Self.nonce, associatedData: data.span, into: &output)
    if !isAuthentic && sealed.count >= AES256GCM.tagCount {
      #expect(plaintext.allSatisfy { $0 == 0 }, "nothing unauthenticated is left in the output")
    }
    return isAuthentic ? plaintext : nil
  }

  @Test func oneContextSealsAndOpensInTurn() throws {
    var cipher = try AES256GCM(key: Self.key.span)
    for _ in 0..<3 {
      #expect(seal(&cipher, Self.plaintext, Self.data) == Self.sealed)
      #expect(open(&cipher, Self.sealed, Self.data) == Self.plaintext)
    }
    cipher.setKey(InlineArray(repeating: 7))
    #expect(open(&cipher, Self.sealed, Self.data) == nil)
    #expect(seal(&cipher, Self.plaintext, Self.data) != Self.sealed)
    cipher.setKey(InlineArray { Self.key[$0] })
    #expect(open(&cipher, Self.sealed, Self.data) == Self.plaintext)
  }

  @Test func everyAlteredByteIsNoticed() throws {
    var cipher = try AES256GCM(key: Self.key.span)
    for index in Self.sealed.indices {
      var altered = Self.sealed
      altered[index] ^= 0x10
      #expect(open(&cipher, altered, Self.data) == nil)
    }
    #expect(open(&cipher, Self.sealed, Self.data.dropLast()) == nil)
    #expect(open(&cipher, Self.sealed, []) == nil)
    #expect(open(&cipher, Self.sealed, Self.data) == Self.plaintext)
  }

  @Test func emptyAndShortMessages() throws {
    var cipher = try AES256GCM(key: Self.key.span)
    let tag = seal(&cipher, [], [])
    #expect(open(&cipher, tag, []) == [])
    for count in 0..<AES256GCM.tagCount {
      #expect(open(&cipher, Array(tag.prefix(count)), []) == nil)
    }
  }

  @Test(arguments: [0, 16, 31, 33])
  func otherKeyLengthsAreRefused(count: Int) {
    let key = [UInt8](repeating: 0x5A, count: count)
    do {
      _ = try AES256GCM(key: key.span)
      Issue.record("a key of \(count) bytes was taken")
    } catch {
      #expect(error.kind == .length)
      #expect(error.description == "AES-256-GCM key: wrong length (32 bytes, not \(count))")
    }
  }
}
