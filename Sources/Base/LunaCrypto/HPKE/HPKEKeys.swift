/// The key and the nonce of the one message (RFC 9180, 5.1: mode_auth, no pre-shared key).
struct HPKEKeys {
  private static let modeAuth: UInt8 = 2

  let key: SecretBytes
  /// base_nonce, which is the nonce of message 0.
  let nonce: InlineArray<12, UInt8>

  /// KeySchedule.
  init(_ shared: HPKESecret, info: Span<UInt8>, aead: HPKECipher) throws(CryptoError) {
    let labels = HPKELabels.message(aead)
    let none: [UInt8] = []
    var context = [HPKEKeys.modeAuth]
    let identifier = try labels.extract(salt: none.span, "psk_id_hash", none.span)
    let purpose = try labels.extract(salt: none.span, "info_hash", info)
    for hash in [identifier, purpose] {
      hash.withBytes { for index in $0.indices { context.append($0[index]) } }
    }
    let secret = try shared.bytes.withBytes { (salt) throws(CryptoError) in
      try labels.extract(salt: salt, "secret", none.span)
    }
    key = try labels.expand(secret, "key", context.span, count: aead.keyCount)
    nonce = try labels.expand(secret, "base_nonce", context.span, count: 12).withBytes { bytes in
      InlineArray { bytes[$0] }
    }
  }

  /// AES-256-GCM under the key.
  func cipher() throws(CryptoError) -> AES256GCM {
    try key.withBytes { (key) throws(CryptoError) in try AES256GCM(key: key) }
  }
}
