import JSONWebToken
import LunaCrypto
import LunaJSON

/// What keeps a passkey, as a key or a phone does (WebAuthn, 6).
struct SoftAuthenticator {
  private let p256: P256PrivateKey?
  private let seed: SecretBytes
  let id: [UInt8]
  /// How often it has signed; it does not count where that is 0.
  var count: UInt32 = 0
  /// Whether somebody was there, and was known.
  var flags: UInt8 = 0x05
  var party = "localhost"
  var origin = "http://localhost:8470"

  /// - Parameter isEdDSA: whether it signs by Ed25519, else by P-256.
  init(isEdDSA: Bool, id: [UInt8] = Array(0..<32)) throws {
    seed = try SecureRandom.secret(count: 32)
    p256 = isEdDSA ? nil : try P256PrivateKey()
    self.id = id
  }

  private func cose() throws -> [UInt8] {
    guard let p256 else {
      let head: [UInt8] = [0xA4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20]
      let key = try Ed25519.publicKey(of: seed)
      return head + key.indices.map { key[$0] }
    }
    let point = p256.publicKey
    var key: [UInt8] = [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]
    key += point[1...32]
    key += [0x22, 0x58, 0x20]
    key += point[33...]
    return key
  }

  private func data(withKey: Bool) throws -> [UInt8] {
    let name = Array(party.utf8)
    let digest = try SHA256.digest(of: name.span)
    var data = digest.indices.map { digest[$0] }
    data.append(flags | (withKey ? 0x40 : 0))
    data += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
    guard withKey else { return data }
    data += [UInt8](repeating: 0, count: 16)
    data += [0, UInt8(id.count)]
    data += id
    data += try cose()
    return data
  }

  private func clientData(_ kind: String, _ challenge: String) -> [UInt8] {
    let json: JSONValue = [
      "type": .string(kind), "challenge": .string(challenge), "origin": .string(origin),
      "crossOrigin": false,
    ]
    return json.bytes
  }

  private func text(_ bytes: [UInt8]) -> JSONValue {
    .string(String(decoding: Base64URL.encode(bytes), as: UTF8.self))
  }

  /// What a browser says of a passkey that was made.
  func made(for challenge: String, password: String) throws -> JSONValue {
    [
      "password": .string(password), "name": "My phone",
      "clientData": text(clientData("webauthn.create", challenge)),
      "authenticatorData": text(try data(withKey: true)),
    ]
  }

  /// What a browser says of somebody who was there.
  func proof(for challenge: String, kind: String = "webauthn.get") throws -> JSONValue {
    let (client, said) = (clientData(kind, challenge), try data(withKey: false))
    let digest = try SHA256.digest(of: client.span)
    let message = said + digest.indices.map { digest[$0] }
    return [
      "id": text(id), "clientData": text(client), "authenticatorData": text(said),
      "signature": text(try signature(of: message)),
    ]
  }

  private func signature(of message: [UInt8]) throws -> [UInt8] {
    if let p256 { return SoftAuthenticator.sequence(try p256.signature(of: message.span)) }
    let bytes = try Ed25519.signature(of: message.span, privateKey: seed)
    return bytes.indices.map { bytes[$0] }
  }

  /// Two numbers in DER.
  private static func sequence(_ numbers: [UInt8]) -> [UInt8] {
    let content = [numbers[..<32], numbers[32...]].flatMap { number -> [UInt8] in
      var digits = Array(number.drop { $0 == 0 })
      if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
      return [2, UInt8(digits.count)] + digits
    }
    return [0x30, UInt8(content.count)] + content
  }
}
