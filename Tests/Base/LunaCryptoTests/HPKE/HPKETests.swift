import Testing

@testable import LunaCrypto

/// Hybrid public key encryption with an authenticated sender, against what others published.
struct HPKETests {
  /// A published case, of which the first message is used.
  struct Published {
    let recipient, recipientPublic, sender, senderPublic, ephemeral, encapsulated: [UInt8]
    let shared, key, nonce, aad, ciphertext: [UInt8]
  }

  static let info = hex("4f6465206f6e2061204772656369616e2055726e")
  static let plaintext = Array("Beauty is truth, truth beauty".utf8)

  /// RFC 9180, A.1.3: AES-128-GCM.
  static let rfc = Published(
    recipient: hex("fdea67cf831f1ca98d8e27b1f6abeb5b7745e9d35348b80fa407ff6958f9137e"),
    recipientPublic: hex("1632d5c2f71c2b38d0a8fcc359355200caa8b1ffdf28618080466c909cb69b2e"),
    sender: hex("dc4a146313cce60a278a5323d321f051c5707e9c45ba21a3479fecdf76fc69dd"),
    senderPublic: hex("8b0c70873dc5aecb7f9ee4e62406a397b350e57012be45cf53b7105ae731790b"),
    ephemeral: hex("ff4442ef24fbc3c1ff86375b0be1e77e88a0de1e79b30896d73411c5ff4c3518"),
    encapsulated: hex("23fb952571a14a25e3d678140cd0e5eb47a0961bb18afcf85896e5453c312e76"),
    shared: hex("2d6db4cf719dc7293fcbf3fa64690708e44e2bebc81f84608677958c0d4448a7"),
    key: hex("b062cb2c4dd4bca0ad7c7a12bbc341e6"),
    nonce: hex("a1bc314c1942ade7051ffed0"),
    aad: hex("436f756e742d30"),
    ciphertext: hex(
      "5fd92cc9d46dbf8943e72a07e42f363ed5f721212cd90bcfd072bfd9f44e06b80fd17824947496e21b680c141b"
    ))

  /// CFRG's test-vectors.json of RFC 9180: mode 2, KEM 32, KDF 1, AEAD 2.
  static let cfrg = Published(
    recipient: hex("47f1eee3670dfaaf27c30a83d06ee9f257af174727c17b35328ef730dfc1cd81"),
    recipientPublic: hex("3668d659cec6f338f4f8dc6da6733118d2a633f186a3c1415c895111a8eb7c7d"),
    sender: hex("98fdf9b9773578a79d4ba82fbe483c74cc2e3b8d9525d148a18969fd79a74876"),
    senderPublic: hex("4a91c3d0893433f5e31a79fc520f885527a1bc60bf2b0c72693dd7f0b2e41a5a"),
    ephemeral: hex("805b278cabd22c9dbd461bf25771703eda4950ed3ef35b369163097899555356"),
    encapsulated: hex("9e59f4b1fa5c876f684765290c34e51145894cc4f244342b9fb1a4bdfd8bb426"),
    shared: hex("6579475ca739247fad60b7713b0077f1e966e0eaf6f95bff8fa41e446db4b226"),
    key: hex("db0218adcafe73ee2e320bd08146d232cedfbd45c7e43d1fae3f1c79dc179b40"),
    nonce: hex("41da94323642095905a34938"),
    aad: hex("436f756e742d30"),
    ciphertext: hex(
      "10b964283ac2cc0bdc4c85ab617291b446bf3832e9359b2c3a0facc50ea75a3c1afd08aeaacd6041d02eb560ec"
    ))

  static func secret(_ bytes: [UInt8]) -> SecretBytes { SecretBytes(copying: bytes.span) }

  private func secrets(_ published: Published) throws -> [HPKESecret] {
    [
      try HPKESecret(
        encapsulatingFor: published.recipientPublic.span, sender: Self.secret(published.sender),
        ephemeral: Self.secret(published.ephemeral)),
      try HPKESecret(
        decapsulating: published.encapsulated.span, recipient: Self.secret(published.recipient),
        sender: published.senderPublic.span),
    ]
  }

  /// As far as the cipher, and with the other one's own function beyond it.
  @Test func agreesWithTheRFC() throws {
    for shared in try secrets(Self.rfc) {
      #expect(array(shared.bytes) == Self.rfc.shared)
      let keys = try HPKEKeys(shared, info: Self.info.span, aead: .aes128GCM)
      #expect(array(keys.key) == Self.rfc.key)
      #expect(array(keys.nonce) == Self.rfc.nonce)
      let nonce = Self.secret(Self.rfc.nonce)
      let sealed = try AES128GCM.seal(Self.plaintext.span, key: keys.key, nonce: nonce)
      // The published message has associated data, which that function does not take.
      #expect(Array(sealed.dropLast(16)) == Array(Self.rfc.ciphertext.dropLast(16)))
    }
  }

  @Test func agreesWithCFRG() throws {
    let published = Self.cfrg
    for shared in try secrets(published) {
      #expect(array(shared.bytes) == published.shared)
      let keys = try HPKEKeys(shared, info: Self.info.span, aead: .aes256GCM)
      #expect(array(keys.key) == published.key)
      #expect(array(keys.nonce) == published.nonce)
    }
    let sealed = try seal(Self.plaintext)
    #expect(sealed == published.ciphertext)
    #expect(try open(published.ciphertext) == Self.plaintext)
  }

  private func open(
    _ sealed: [UInt8], encapsulated: [UInt8] = cfrg.encapsulated,
    recipient: [UInt8] = cfrg.recipient, sender: [UInt8] = cfrg.senderPublic,
    info: [UInt8] = info, aad: [UInt8] = cfrg.aad
  ) throws(CryptoError) -> [UInt8] {
    array(
      try HPKE.open(
        sealed.span, encapsulated: encapsulated.span, to: Self.secret(recipient),
        from: sender.span, info: info.span, associatedData: aad.span))
  }

  private func kind(_ body: () throws(CryptoError) -> [UInt8]) -> CryptoError.Kind? {
    do throws(CryptoError) { _ = try body() } catch { return error.kind }
    return nil
  }

  @Test func everyFlippedBitIsRefused() {
    let sealed = Self.cfrg.ciphertext
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 0x10
      #expect(kind { () throws(CryptoError) in try open(changed) } == .authentication)
      let shorter = Array(sealed.prefix(index))
      let expected: CryptoError.Kind = index < HPKE.tagCount ? .length : .authentication
      #expect(kind { () throws(CryptoError) in try open(shorter) } == expected)
    }
  }

  @Test func othersKeysAndContextsAreRefused() {
    let (sealed, rfc) = (Self.cfrg.ciphertext, Self.rfc)
    typealias Refused = CryptoError
    #expect(
      kind { () throws(Refused) in try open(sealed, recipient: rfc.recipient) } == .authentication)
    #expect(
      kind { () throws(Refused) in try open(sealed, sender: rfc.senderPublic) } == .authentication)
    #expect(
      kind { () throws(Refused) in try open(sealed, encapsulated: rfc.encapsulated) }
        == .authentication)
    #expect(kind { () throws(Refused) in try open(sealed, info: [1]) } == .authentication)
    #expect(kind { () throws(Refused) in try open(sealed, aad: []) } == .authentication)
    #expect(kind { () throws(Refused) in try open(sealed, encapsulated: [1, 2]) } == .length)
    #expect(kind { () throws(Refused) in try open(sealed, recipient: [1, 2]) } == .length)
  }

  private func seal(
    _ message: [UInt8], to recipient: [UInt8] = cfrg.recipientPublic
  ) throws(CryptoError) -> [UInt8] {
    let (info, aad) = (Self.info, Self.cfrg.aad)
    return try HPKE.seal(
      message.span, to: recipient.span, from: Self.secret(Self.cfrg.sender),
      ephemeral: Self.secret(Self.cfrg.ephemeral), info: info.span, associatedData: aad.span)
  }

  /// Keys of low order, with which anybody could know the secret.
  @Test(arguments: [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
  ])
  func allZeroSecretsAreRefused(key: String) {
    let (sealed, key) = (Self.cfrg.ciphertext, hex(key))
    #expect(kind { () throws(CryptoError) in try open(sealed, encapsulated: key) } == .invalidKey)
    #expect(kind { () throws(CryptoError) in try open(sealed, sender: key) } == .invalidKey)
    #expect(kind { () throws(CryptoError) in try seal([1, 2], to: key) } == .invalidKey)
  }

  @Test func emptyAndLongMessagesComeBack() throws {
    for count in [0, 1, 15, 16, 17, 70_000] {
      let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      let sealed = try seal(message)
      #expect(sealed.count == count + HPKE.tagCount)
      #expect(try open(sealed) == message)
    }
  }
}
