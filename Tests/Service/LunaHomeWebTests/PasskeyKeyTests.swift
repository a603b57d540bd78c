import LunaCrypto
import Testing

@testable import LunaHomeWeb

/// The keys that authenticators give.
struct PasskeyKeyTests {
  /// Made by `openssl genrsa 2048`.
  private static let modulus = bytes(
    "ca2182593fcc03b4f17f829d7c9502c4cd139bfe953f6647cc8a0e03337d8c388106333130485ffbebfb7dcade32e244"
      + "1210e8722683c67672abd753644d0090322b08209662d4b1709c22b2f02ca9901aef1b45ebcf026966560a33d397353c"
      + "736cc0411c419a7e4b2694ea5247ca2c13cbcf15cb4b6a40308b59b90fb6c9825704bcc4ea116f6542e62a988bdf3bb5"
      + "cb741a5cc149f68687776bbd16d06d9e38f7dccb16cfeffdc103fdcb869b6ef81a8bb2e9de85c5bdda4ad4d2355c942c"
      + "aa526d0f0a395734865b421bf3aaf6027fdf2aeed4ea1a12ecd35ec0e634a6cbe2ba4919e0d273010f26f391d896670f"
      + "a2e915a4df6b00b62d60434ec865fc4f")
  /// Made by `openssl dgst -sha256 -sign`.
  private static let signature = bytes(
    "c46b0003b87efc9ba1f74c6e7b8e06e11d19d035b1c180f470759868dbc1833a981acdbb153ea88e93b991868dd059a7"
      + "ff81171e2b0fa0d95304d95b8ab58f6ccef4b663f9b633d837a4301b95ac9824fc9283b8c302f7e3631869419fdc1a36"
      + "bc49b84a2c95a632c30b24ed4f983282ab419628121f725a9066788641d32b1a5717fce31d073d61576a814095b90c44"
      + "64c645ec1f1b455d2a76dd73653de9de76cf39ed558eea40f423bfb30f25d337368f99ad566620ad7fcb78f5fab7d6b3"
      + "e6a6c4df11dfdf1c628b702006368c38bb07d8a5b108c197eb54c3b9edce1f5d2abdf2df1be10d6995b24984f85441ed"
      + "244e65476b85b5d7ba84dc8a6c7b3015")

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex).compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  /// As the TPM of a computer gives it.
  private static func rsa(_ modulus: [UInt8], exponent: [UInt8] = [0x43, 1, 0, 1]) -> [UInt8] {
    bytes("a401030339010020") + [0x59, UInt8(modulus.count >> 8), UInt8(modulus.count & 0xFF)]
      + modulus + [0x21] + exponent
  }

  @Test func checksWhatATPMSigned() throws {
    // What follows is no part of it: extensions, say.
    let key = try #require(PasskeyKey(prefixOf: Self.rsa(Self.modulus) + [0xA0]))
    #expect(key.bytes == Self.rsa(Self.modulus))
    let verifier = try key.verifier()
    let message = Array("what the authenticator said".utf8)
    var (signature, other) = (Self.signature, message)
    #expect(try verifier.isSignature(signature.span, of: message.span, isDER: true))
    other[0] ^= 1
    #expect(try !verifier.isSignature(signature.span, of: other.span, isDER: true))
    signature[200] ^= 1
    #expect(try !verifier.isSignature(signature.span, of: message.span, isDER: true))
  }

  @Test func refusesOtherRSAKeys() {
    let whole = Self.rsa(Self.modulus)
    for count in 0..<whole.count {
      #expect(PasskeyKey(prefixOf: Array(whole.prefix(count))) == nil, "\(count) bytes")
    }
    #expect(PasskeyKey(prefixOf: Self.rsa(Self.modulus, exponent: [0x43, 1, 0, 0])) == nil)
    #expect(PasskeyKey(prefixOf: Self.rsa(Self.modulus, exponent: [0x41, 3])) == nil)
    for count in [0, 1, 128, 255, 1025, 4096] {
      let modulus = Array(repeating: UInt8(0xFF), count: count)
      let key = PasskeyKey(prefixOf: Self.rsa(modulus))
      #expect(throws: CryptoError.self, "\(count) bytes") { try key?.verifier() }
    }
  }
}
