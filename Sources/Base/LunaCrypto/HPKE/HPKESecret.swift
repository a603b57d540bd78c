/// The secret that the key encapsulation of HPKE gives to both sides (RFC 9180, 4.1, with a sender).
struct HPKESecret {
  let bytes: SecretBytes

  /// AuthEncap.
  init(
    encapsulatingFor recipient: Span<UInt8>, sender: SecretBytes, ephemeral: SecretBytes
  ) throws(CryptoError) {
    let first = try X25519.sharedSecret(privateKey: ephemeral, peer: recipient)
    let second = try X25519.sharedSecret(privateKey: sender, peer: recipient)
    let encapsulated = try X25519.publicKey(of: ephemeral)
    let senderKey = try X25519.publicKey(of: sender)
    try self.init(first, second, encapsulated.span, recipient, senderKey.span)
  }

  /// AuthDecap.
  init(
    decapsulating encapsulated: Span<UInt8>, recipient: SecretBytes, sender: Span<UInt8>
  ) throws(CryptoError) {
    let first = try X25519.sharedSecret(privateKey: recipient, peer: encapsulated)
    let second = try X25519.sharedSecret(privateKey: recipient, peer: sender)
    let recipientKey = try X25519.publicKey(of: recipient)
    try self.init(first, second, encapsulated, recipientKey.span, sender)
  }

  /// ExtractAndExpand of both agreements, bound to the three public keys.
  private init(
    _ first: SecretBytes, _ second: SecretBytes, _ encapsulated: Span<UInt8>,
    _ recipient: Span<UInt8>, _ sender: Span<UInt8>
  ) throws(CryptoError) {
    var agreed = [UInt8](repeating: 0, count: 2 * X25519.keyCount)
    defer { wipe(&agreed) }
    first.withBytes { for index in $0.indices { agreed[index] = $0[index] } }
    second.withBytes { for index in $0.indices { agreed[X25519.keyCount + index] = $0[index] } }
    var context: [UInt8] = []
    for index in encapsulated.indices { context.append(encapsulated[index]) }
    for index in recipient.indices { context.append(recipient[index]) }
    for index in sender.indices { context.append(sender[index]) }
    let none: [UInt8] = []
    let extracted = try HPKELabels.kem.extract(salt: none.span, "eae_prk", agreed.span)
    bytes = try HPKELabels.kem.expand(extracted, "shared_secret", context.span, count: 32)
  }
}
