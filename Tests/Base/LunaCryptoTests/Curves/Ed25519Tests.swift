import LunaCrypto
import Testing

struct Ed25519Tests {
  /// RFC 8032, 7.1: private key, public key, message, signature.
  @Test(arguments: [
    (
      "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    ),
    (
      "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    ),
  ])
  func signs(_ key: String, _ publicKey: String, _ message: String, _ signature: String) throws {
    #expect(array(try Ed25519.publicKey(of: secret(key))) == hex(publicKey))
    let (message, known) = (hex(message), hex(publicKey))
    let made = try Ed25519.signature(of: message.span, privateKey: secret(key))
    #expect(made.indices.map { made[$0] } == hex(signature))
    let isMadeKnown = Ed25519.isValid(
      signature: made.span, of: message.span, publicKey: known.span)
    #expect(isMadeKnown)
    for index in 0..<64 {
      var other = hex(signature)
      other[index] ^= 1
      let isOtherKnown = Ed25519.isValid(
        signature: other.span, of: message.span, publicKey: known.span)
      #expect(!isOtherKnown)
    }
    let longer = message + [0]
    let isLonger = Ed25519.isValid(
      signature: made.span, of: longer.span, publicKey: known.span)
    #expect(!isLonger)
  }

  @Test func otherLengthsAreRefused() throws {
    let message: [UInt8] = []
    #expect(throws: CryptoError.self) {
      try Ed25519.signature(of: message.span, privateKey: secret("11"))
    }
    #expect(throws: CryptoError.self) { try Ed25519.publicKey(of: secret("11")) }
    let (short, key) = ([UInt8](repeating: 1, count: 63), [UInt8](repeating: 1, count: 32))
    let isShortKey = Ed25519.isValid(
      signature: short.span, of: message.span, publicKey: key.span)
    #expect(!isShortKey)
    let signature = [UInt8](repeating: 1, count: 64)
    let isSignatureShort = Ed25519.isValid(
      signature: signature.span, of: message.span, publicKey: short.span)
    #expect(!isSignatureShort)
  }
}
