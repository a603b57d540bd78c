import COpenSSL
import JSONWebToken
import LunaCrypto
import LunaJSON
import Testing

/// An issuer with a key of its own, which signs what it is told to.
final class TestIssuer: @unchecked Sendable {
  let algorithm: SignatureAlgorithm
  let id: String
  private let key: OpaquePointer

  init(_ algorithm: SignatureAlgorithm, id: String = "one") throws {
    self.algorithm = algorithm
    self.id = id
    let kind = [.rs256: "RSA", .es256: "EC", .edDSA: "ED25519"][algorithm]
    let context = try #require(EVP_PKEY_CTX_new_from_name(nil, kind, nil))
    defer { EVP_PKEY_CTX_free(context) }
    try #require(EVP_PKEY_keygen_init(context) == 1)
    if algorithm == .es256 {
      try #require(EVP_PKEY_CTX_set_group_name(context, "prime256v1") == 1)
    }
    var key: OpaquePointer?
    try #require(EVP_PKEY_generate(context, &key) == 1)
    self.key = try #require(key)
  }

  deinit { EVP_PKEY_free(key) }

  /// The public key as it shows it.
  var jwk: JSONObject {
    var object: JSONObject = ["kid": .string(id), "use": "sig"]
    switch algorithm {
    case .rs256:
      object.append("kty", "RSA")
      object.append("n", .string(TestIssuer.text(number("n"))))
      object.append("e", .string(TestIssuer.text(number("e"))))
    case .es256:
      object.append("kty", "EC")
      object.append("crv", "P-256")
      let point = octets("pub")
      object.append("x", .string(TestIssuer.text(point[1..<33])))
      object.append("y", .string(TestIssuer.text(point[33...])))
    case .edDSA:
      object.append("kty", "OKP")
      object.append("crv", "Ed25519")
      object.append("x", .string(TestIssuer.text(octets("pub"))))
    }
    return object
  }

  /// A document with the keys of some issuers.
  static func document(_ issuers: TestIssuer...) -> [UInt8] {
    JSONValue.object(["keys": .array(issuers.map { .object($0.jwk) })]).bytes
  }

  /// A token; the header may say anything.
  func token(_ claims: JSONObject, header: JSONObject? = nil) throws -> [UInt8] {
    let header =
      header ?? ["alg": .string(algorithm.rawValue), "kid": .string(id), "typ": "at+jwt"]
    return try token(
      header: JSONValue.object(header).bytes, claims: JSONValue.object(claims).bytes)
  }

  /// A token of bytes that may be no JSON.
  func token(header: [UInt8], claims: [UInt8]) throws -> [UInt8] {
    let signed = Base64URL.encode(header) + [0x2E] + Base64URL.encode(claims)
    return signed + [0x2E] + Base64URL.encode(try sign(signed))
  }

  private func sign(_ message: [UInt8]) throws -> [UInt8] {
    let context = try #require(EVP_MD_CTX_new())
    defer { EVP_MD_CTX_free(context) }
    let digest = algorithm == .edDSA ? nil : "SHA256"
    try #require(EVP_DigestSignInit_ex(context, nil, digest, nil, nil, key, nil) == 1)
    var signature = [UInt8](repeating: 0, count: 1024)
    var count = signature.count
    try #require(EVP_DigestSign(context, &signature, &count, message, message.count) == 1)
    signature = Array(signature[..<count])
    guard algorithm == .es256 else { return signature }
    // SEQUENCE, length, then twice INTEGER, length, number.
    let first = Int(signature[3])
    let numbers = [signature[4..<(4 + first)], signature[(6 + first)...]]
    return numbers.flatMap { number in
      let digits = Array(number.drop { $0 == 0 })
      return [UInt8](repeating: 0, count: 32 - digits.count) + digits
    }
  }

  private static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Base64URL.encode(bytes), as: UTF8.self)
  }

  private func number(_ name: String) -> [UInt8] {
    var number: OpaquePointer?
    EVP_PKEY_get_bn_param(key, name, &number)
    defer { BN_free(number) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = BN_bn2bin(number, &bytes)
    return Array(bytes[..<Int(count)])
  }

  private func octets(_ name: String) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 200)
    var count = 0
    EVP_PKEY_get_octet_string_param(key, name, &bytes, bytes.count, &count)
    return Array(bytes[..<count])
  }
}
