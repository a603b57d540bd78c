import JSONWebToken
import LunaCrypto
import LunaJSON
import Testing

@Suite("Keys of an issuer")
struct WebKeySetTests {
  private func count(_ keys: JSONValue...) throws -> Int {
    try WebKeySet(JSONValue.object(["keys": .array(keys)]).bytes).keys.count
  }

  private func changed(_ object: JSONObject, _ name: String, _ value: JSONValue) -> JSONValue {
    var object = object
    object.members.removeAll { $0.name == name }
    object.append(name, value)
    return .object(object)
  }

  @Test("Those that check signatures are kept, others are left out")
  func kinds() throws {
    let keys = try SignatureAlgorithm.allCases.map { JSONValue.object(try TestIssuer($0).jwk) }
    let others: [JSONValue] = [
      ["kty": "oct", "k": "AAAA"], ["kty": "EC", "crv": "P-521", "x": "AA", "y": "AA"],
      ["kty": "OKP", "crv": "X25519", "x": "AA"], ["kty": "new"], [:], 1, "text",
    ]
    let document = JSONValue.object(["keys": .array(others + keys)]).bytes
    #expect(try WebKeySet(document).keys.map(\.key.algorithm) == SignatureAlgorithm.allCases)
  }

  @Test("A key says for what it is")
  func uses() throws {
    let key = try TestIssuer(.rs256).jwk
    #expect(try count(changed(key, "use", "enc")) == 0)
    #expect(try count(changed(key, "alg", "RS256")) == 1)
    #expect(try count(changed(key, "alg", "RS512")) == 0)
    #expect(try count(changed(key, "alg", "HS256")) == 0)
    #expect(try count(changed(key, "key_ops", ["verify"])) == 1)
    #expect(try count(changed(key, "key_ops", ["encrypt"])) == 0)
    #expect(try count(changed(key, "kid", 1)) == 0)
  }

  @Test("Zeros before numbers are as one writes them")
  func zeros() throws {
    func value(_ object: JSONObject, _ name: String) throws -> [UInt8] {
      guard case .string(let text)? = object[name] else { throw WebTokenProblem.malformed(name) }
      return try #require(Base64URL.decode(text.utf8))
    }
    func text(_ bytes: some Sequence<UInt8>) -> JSONValue {
      .string(String(decoding: Base64URL.encode(Array(bytes)), as: UTF8.self))
    }
    var issuer = try TestIssuer(.es256)
    while try value(issuer.jwk, "x")[0] != 0 { issuer = try TestIssuer(.es256) }
    let short = changed(issuer.jwk, "x", text(try value(issuer.jwk, "x").drop { $0 == 0 }))
    let token = try WebToken(issuer.token([:]))
    #expect(try WebKeySet(JSONValue.object(["keys": [short]]).bytes).signed(token))

    let rsa = try TestIssuer(.rs256)
    let long = changed(rsa.jwk, "n", text([0] + (try value(rsa.jwk, "n"))))
    let other = try WebToken(rsa.token([:]))
    #expect(try WebKeySet(JSONValue.object(["keys": [long]]).bytes).signed(other))
  }

  @Test("Numbers that are no key")
  func numbers() throws {
    let rsa = try TestIssuer(.rs256).jwk
    // 1, 2, even, 40 bits.
    for exponent in ["AQ", "Ag", "AQAA", "AQAAAAE", ""] {
      #expect(try count(changed(rsa, "e", .string(exponent))) == 0, "\(exponent)")
    }
    func modulus(_ count: Int) -> JSONValue {
      let bytes = [UInt8](repeating: 0xFF, count: count)
      return .string(String(decoding: Base64URL.encode(bytes), as: UTF8.self))
    }
    for bytes in [0, 1, 128, 255, 1025, 4096] {
      #expect(try count(changed(rsa, "n", modulus(bytes))) == 0, "\(bytes)")
    }
    #expect(try count(changed(rsa, "n", modulus(512))) == 1)
    let curve = try TestIssuer(.es256).jwk
    let zero = JSONValue.string(String(repeating: "A", count: 43))
    #expect(try count(changed(curve, "x", zero), changed(curve, "y", zero)) == 0)
    #expect(try count(changed(curve, "x", "AAAA")) == 0)
    let edwards = try TestIssuer(.edDSA).jwk
    #expect(try count(changed(edwards, "x", "AAAA")) == 0)
  }

  @Test("What is no set", arguments: ["", "{}", "[]", "{\"keys\":1}", "<html>", "{\"keys\":[]"])
  func malformed(_ text: String) {
    #expect(throws: WebTokenProblem.self) { try WebKeySet(Array(text.utf8)) }
  }

  @Test("What is long is not read, nor are many keys")
  func long() throws {
    let key = JSONValue.object(try TestIssuer(.es256).jwk)
    let many = JSONValue.object(["keys": .array(Array(repeating: key, count: 101))]).bytes
    #expect(throws: WebTokenProblem.self) { try WebKeySet(many) }
    let blanks = [UInt8](repeating: 0x20, count: 10 << 20)
    #expect(throws: WebTokenProblem.tooLong) { try WebKeySet(blanks) }
  }
}
