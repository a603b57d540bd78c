/// The labelled functions of HKDF in HPKE (RFC 9180, 4).
struct HPKELabels {
  /// The suite, as it stands in every input.
  let suite: [UInt8]

  /// "KEM" with DHKEM(X25519, HKDF-SHA256).
  static let kem = HPKELabels(suite: Array("KEM".utf8) + [0x00, 0x20])

  /// "HPKE" with that KEM, HKDF-SHA256 and a cipher.
  static func message(_ aead: HPKECipher) -> HPKELabels {
    HPKELabels(
      suite: Array("HPKE".utf8) + [0x00, 0x20, 0x00, 0x01, 0x00, UInt8(aead.rawValue)])
  }

  /// LabeledExtract.
  func extract(
    salt: Span<UInt8>, _ label: String, _ inputKey: Span<UInt8>
  ) throws(CryptoError) -> SecretBytes {
    var input = Array("HPKE-v1".utf8) + suite + Array(label.utf8)
    // No copy of a secret is left behind by growing.
    input.reserveCapacity(input.count + inputKey.count)
    defer { wipe(&input) }
    for index in inputKey.indices { input.append(inputKey[index]) }
    return try HKDFSHA256.extract(salt: salt, inputKey: input.span)
  }

  /// LabeledExpand.
  func expand(
    _ secret: SecretBytes, _ label: String, _ info: Span<UInt8>, count: Int
  ) throws(CryptoError) -> SecretBytes {
    var input = [UInt8(count >> 8), UInt8(count & 255)] + Array("HPKE-v1".utf8) + suite
    input += Array(label.utf8)
    for index in info.indices { input.append(info[index]) }
    return try HKDFSHA256.expand(secret, info: input.span, count: count)
  }
}
