import JSONWebToken
import LunaCrypto
import LunaJSON
import LunaTesting
import Testing

@Suite("Tokens that are signed")
struct WebTokenTests {
  private static let claims: JSONObject = ["iss": "https://id.example", "sub": "person"]

  @Test("One of each algorithm is read and believed", arguments: SignatureAlgorithm.allCases)
  func good(_ algorithm: SignatureAlgorithm) throws {
    let issuer = try TestIssuer(algorithm)
    let other = try TestIssuer(algorithm)
    let token = try WebToken(try issuer.token(WebTokenTests.claims))
    #expect(try WebKeySet(TestIssuer.document(issuer)).signed(token))
    #expect(token.type == "at+jwt")
    #expect(token.claims.subject == "person")
    // Another's key by the same name.
    #expect(try !WebKeySet(TestIssuer.document(other)).signed(token))
    // Two keys by one name are no names.
    #expect(try !WebKeySet(TestIssuer.document(issuer, other)).signed(token))
  }

  @Test("The signature of every part counts", arguments: SignatureAlgorithm.allCases)
  func parts(_ algorithm: SignatureAlgorithm) throws {
    let issuer = try TestIssuer(algorithm)
    let set = try WebKeySet(TestIssuer.document(issuer))
    let text = try issuer.token(WebTokenTests.claims)
    for index in text.indices where text[index] != UInt8(ascii: ".") {
      var changed = text
      changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      // Often it is no token any more.
      guard changed != text, let token = try? WebToken(changed) else { continue }
      #expect(!set.signed(token), "at \(index)")
    }
  }

  @Test(
    "Algorithms that are not signatures by a public key",
    arguments: [
      "none", "None", "NONE", "", "HS256", "HS512", "RS384", "RS512", "PS256", "ES384", "ES256K",
      "rs256", "Ed448", "RSA1_5", "dir",
    ])
  func algorithms(_ name: String) throws {
    let issuer = try TestIssuer(.es256)
    let header: JSONObject = ["alg": .string(name), "kid": "one"]
    let text = try issuer.token(WebTokenTests.claims, header: header)
    #expect(throws: WebTokenProblem.algorithm) { try WebToken(text) }
  }

  @Test("HS256 with the public key as the secret")
  func confusion() throws {
    let issuer = try TestIssuer(.rs256)
    let document = TestIssuer.document(issuer)
    var hmac = try HMACSHA256(key: document.span)
    for name in ["HS256", "RS256"] {
      let header = JSONValue.object(["alg": .string(name), "kid": "one"]).bytes
      let signed =
        Base64URL.encode(header) + [0x2E]
        + Base64URL.encode(JSONValue.object(WebTokenTests.claims).bytes)
      let code = hmac.code(for: signed.span)
      let text = signed + [0x2E] + Base64URL.encode(code.indices.map { code[$0] })
      guard let token = try? WebToken(text) else { continue }
      #expect(name == "RS256")
      #expect(try !WebKeySet(document).signed(token))
    }
  }

  @Test("A key decides for what it is used")
  func kinds() throws {
    let (curve, rsa) = (try TestIssuer(.es256), try TestIssuer(.rs256))
    // The header says ES256; it was signed with RSA, and that key is called the same.
    let header: JSONObject = ["alg": "ES256", "kid": "one"]
    let token = try WebToken(try rsa.token(WebTokenTests.claims, header: header))
    #expect(try !WebKeySet(TestIssuer.document(rsa)).signed(token))
    #expect(try !WebKeySet(TestIssuer.document(rsa, curve)).signed(token))
    // Keys of two kinds may have one name.
    let good = try WebToken(try rsa.token(WebTokenTests.claims))
    #expect(try WebKeySet(TestIssuer.document(curve, rsa)).signed(good))
  }

  @Test("Keys that a token brings along are not looked at")
  func ownKeys() throws {
    let (issuer, stranger) = (try TestIssuer(.es256), try TestIssuer(.es256))
    let header: JSONObject = [
      "alg": "ES256", "kid": "one", "jwk": .object(stranger.jwk), "jku": "https://stranger.example",
      "x5u": "https://stranger.example",
    ]
    let token = try WebToken(try stranger.token(WebTokenTests.claims, header: header))
    #expect(try !WebKeySet(TestIssuer.document(issuer)).signed(token))
  }

  @Test("Which key it is")
  func names() throws {
    let (one, two) = (try TestIssuer(.es256, id: "one"), try TestIssuer(.es256, id: "two"))
    let unnamed = try WebToken(try one.token(WebTokenTests.claims, header: ["alg": "ES256"]))
    // The only one, or nobody knows.
    #expect(try WebKeySet(TestIssuer.document(one)).signed(unnamed))
    #expect(try !WebKeySet(TestIssuer.document(one, two)).covers(unnamed))
    let misnamed = try WebToken(
      try one.token(WebTokenTests.claims, header: ["alg": "ES256", "kid": "two"]))
    #expect(try !WebKeySet(TestIssuer.document(one, two)).signed(misnamed))
    let unknown = try WebToken(
      try one.token(WebTokenTests.claims, header: ["alg": "ES256", "kid": "three"]))
    #expect(try !WebKeySet(TestIssuer.document(one, two)).covers(unknown))
  }

  @Test("A key without a name may be the one that a token names, where no other has that name")
  func namelessKeys() throws {
    let (one, two) = (try TestIssuer(.es256, id: "one"), try TestIssuer(.es256, id: "two"))
    var nameless = one.jwk
    nameless.members.removeAll { $0.name == "kid" }
    func isSigned(_ token: [UInt8], _ keys: JSONObject...) throws -> Bool {
      let document: JSONValue = ["keys": .array(keys.map { .object($0) })]
      return try WebKeySet(document.bytes).signed(WebToken(token))
    }
    let token = try one.token(WebTokenTests.claims)
    #expect(try isSigned(token, nameless))
    #expect(try isSigned(token, nameless, two.jwk))
    #expect(try !isSigned(token, nameless, nameless))
    #expect(try !isSigned(two.token(WebTokenTests.claims), nameless))
    let misnamed = try one.token(WebTokenTests.claims, header: ["alg": "ES256", "kid": "two"])
    #expect(try !isSigned(misnamed, nameless, two.jwk))
  }

  @Test("What is critical and not known here")
  func critical() throws {
    let issuer = try TestIssuer(.es256)
    let header: JSONObject = ["alg": "ES256", "kid": "one", "crit": ["exp"]]
    let text = try issuer.token(WebTokenTests.claims, header: header)
    #expect(throws: WebTokenProblem.critical) { try WebToken(text) }
  }

  @Test("What is longer than 8 KiB is not read")
  func long() throws {
    let issuer = try TestIssuer(.edDSA)
    let text = try issuer.token(["sub": .string(String(repeating: "a", count: 7000))])
    #expect(text.count > WebToken.limit)
    #expect(throws: WebTokenProblem.tooLong) { try WebToken(text) }
  }

  @Test("An ID token with all groups of a person is longer")
  func manyGroups() throws {
    let issuer = try TestIssuer(.edDSA)
    func token(_ count: Int) throws -> [UInt8] {
      let group = JSONValue.string(String(repeating: "a", count: 36))
      return try issuer.token(["groups": .array(Array(repeating: group, count: count))])
    }
    let text = try token(200)
    #expect(throws: WebTokenProblem.tooLong) { try WebToken(text) }
    let read = try WebToken(text, limit: WebToken.signInLimit)
    #expect(try WebKeySet(TestIssuer.document(issuer)).signed(read))
    #expect(throws: WebTokenProblem.tooLong) {
      try WebToken(try token(999), limit: WebToken.signInLimit)
    }
  }

  @Test(
    "What is no token",
    arguments: [
      "", ".", "..", "a.b", "a.b.c", "a.b.c.d", "e30.e30.", "eyJhbGciOiJFUzI1NiJ9.e30.",
      "eyJhbGciOiJFUzI1NiJ9.W10.AAAA", "W10.e30.AAAA", "eyJhbGciOiJFUzI1NiJ9.e30.AA=A",
      "eyJhbGciOiJFUzI1NiJ9.e30=.AAAA", " eyJhbGciOiJFUzI1NiJ9.e30.AAAA",
      "eyJhbGciOjF9.e30.AAAA", "e30.e30.AAAA",
    ])
  func malformed(_ text: String) {
    #expect(throws: WebTokenProblem.self) { try WebToken(Array(text.utf8)) }
  }

  @Test(
    "Names that stand twice, and claims of other types",
    arguments: [
      (#"{"alg":"ES256","alg":"none"}"#, "{}"), (#"{"alg":"ES256"}"#, #"{"sub":"a","sub":"b"}"#),
      (#"{"alg":"ES256","kid":1}"#, "{}"), (#"{"alg":"ES256"}"#, #"{"exp":"soon"}"#),
      (#"{"alg":"ES256"}"#, #"{"exp":1e300}"#), (#"{"alg":"ES256"}"#, #"{"nbf":null}"#),
      (#"{"alg":"ES256"}"#, #"{"aud":[1]}"#), (#"{"alg":"ES256"}"#, #"{"aud":{}}"#),
      (#"{"alg":"ES256"}"#, #"{"iss":["a"]}"#), (#"{"alg":"ES256"}"#, "[]"),
      (#"{"alg":"ES256"}"#, "nothing"), (#"{"alg":"ES256"}"#, #"{"azp":1}"#),
    ])
  func types(_ header: String, _ claims: String) throws {
    let issuer = try TestIssuer(.es256)
    let text = try issuer.token(header: Array(header.utf8), claims: Array(claims.utf8))
    #expect(throws: WebTokenProblem.self) { try WebToken(text) }
  }

  @Test("Random changes to a token never stop the process")
  func mutations() throws {
    let issuer = try TestIssuer(.edDSA)
    let set = try WebKeySet(TestIssuer.document(issuer))
    let text = try issuer.token(WebTokenTests.claims)
    var generator = Seeded.drawn()
    for _ in 0..<20_000 {
      var changed = text
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = changed.indices.randomElement(using: &generator) ?? 0
        switch Int.random(in: 0...2, using: &generator) {
        case 0: changed[index] = .random(in: 0 ... .max, using: &generator)
        case 1: changed.remove(at: index)
        default: changed.insert(.random(in: 0 ... .max, using: &generator), at: index)
        }
      }
      guard changed != text, let token = try? WebToken(changed) else { continue }
      #expect(!set.signed(token))
    }
  }
}
