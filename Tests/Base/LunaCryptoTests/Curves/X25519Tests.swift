import Diagnosis
import LunaCrypto
import Testing

struct X25519Tests {
  /// RFC 7748, 6.1.
  static let alice = "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"
  static let alicePublic = "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"
  static let bob = "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"
  static let bobPublic = "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"
  static let shared = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"

  @Test func bothSidesAgree() throws {
    #expect(array(try X25519.publicKey(of: secret(Self.alice))) == hex(Self.alicePublic))
    #expect(array(try X25519.publicKey(of: secret(Self.bob))) == hex(Self.bobPublic))
    let (forAlice, forBob) = (hex(Self.bobPublic), hex(Self.alicePublic))
    let secret1 = try X25519.sharedSecret(privateKey: secret(Self.alice), peer: forAlice.span)
    let secret2 = try X25519.sharedSecret(privateKey: secret(Self.bob), peer: forBob.span)
    #expect(secret1 == secret(Self.shared))
    #expect(secret2 == secret(Self.shared))
  }

  /// RFC 7748, 5.2. The second point has its highest bit set, which does not count.
  @Test(arguments: [
    (
      "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
      "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
      "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
    ),
    (
      "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
      "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
      "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"
    ),
  ])
  func publishedVectors(scalar: String, point: String, result: String) throws {
    let point = hex(point)
    #expect(
      try X25519.sharedSecret(privateKey: secret(scalar), peer: point.span) == secret(result))
  }

  /// Points whose order divides the cofactor: 0, 1, p - 1, p, p + 1, and one of order 8.
  @Test(arguments: [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
  ])
  func pointsOfLowOrderAreRefused(peer: String) {
    let peer = hex(peer)
    let error = #expect(throws: CryptoError.self) {
      try X25519.sharedSecret(privateKey: secret(Self.alice), peer: peer.span)
    }
    #expect(error?.kind == .invalidKey)
  }

  @Test func otherLengthsAreRefused() {
    let peer = hex(Self.bobPublic)
    for count in [0, 31, 33] {
      let key = secret(String(repeating: "11", count: count))
      #expect(throws: CryptoError.self) { try X25519.publicKey(of: key) }
      #expect(throws: CryptoError.self) {
        try X25519.sharedSecret(privateKey: key, peer: peer.span)
      }
    }
    let error = #expect(throws: CryptoError.self) {
      try X25519.sharedSecret(
        privateKey: secret(Self.alice), peer: peer.span.extracting(first: 31))
    }
    #expect(error?.kind == .length)
    #expect(error?.description.contains("de9e") == false)
  }
}
