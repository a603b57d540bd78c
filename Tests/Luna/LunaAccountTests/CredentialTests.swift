import Bluetooth
import LunaCrypto
import Testing

@testable import LunaAccount

@Suite("When a credential is good, and when it is due")
struct CredentialTests {
  private let start: Int64 = 1_000_000

  private func due(_ expiresIn: Int64?, after seconds: Int64) -> Bool {
    Samples.credential(issuedAt: start, expiresIn: expiresIn)
      .isDue(at: Timestamp(seconds: start + seconds))
  }

  @Test("A minute before the end, or a tenth of the time")
  func due() {
    #expect(!due(3600, after: 3539))
    #expect(due(3600, after: 3540))
    #expect(!due(100, after: 89))
    #expect(due(100, after: 90))
    #expect(due(0, after: 0))
    #expect(!due(nil, after: 10_000_000))
  }

  @Test("An issue in the future was not: a clock was set back")
  func future() {
    let credential = Samples.credential(issuedAt: start)
    let hourBack = Timestamp(seconds: start - 3600)
    #expect(credential.isDue(at: hourBack))
    #expect(!credential.isGood(at: hourBack))
    #expect(credential.isGood(at: Timestamp(seconds: start + 3599)))
    #expect(!credential.isGood(at: Timestamp(seconds: start + 3600)))
  }

  @Test("A renewal brings no ID token of somebody else, and the first one may name who it is")
  func renewals() {
    func renewed(_ subject: String?, _ claims: String) -> Credential {
      var credential = Samples.credential(idToken: "x.y.z")
      credential.subject = subject
      var grant = TokenGrant(accessToken: SecretBytes("access-2"))
      grant.idToken = SecretBytes(Samples.idToken(claims))
      return credential.renewed(with: grant, at: Timestamp(seconds: start))
    }
    let other = renewed("me", #"{"sub":"you"}"#)
    #expect(other.idToken?.text == "x.y.z" && other.subject == "me")
    #expect(other.accessToken.text == "access-2")
    for (subject, claims) in [("me", #"{"sub":"me"}"#), ("me", "{}"), (nil, #"{"sub":"me"}"#)] {
      let credential = renewed(subject, claims)
      #expect(credential.idToken?.text == Samples.idToken(claims))
      #expect(credential.subject == "me")
    }
  }

  @Test("What is written is read, and nothing of it is printed")
  func json() throws {
    var credential = Samples.credential(idToken: "x.y.z")
    credential.subject = "a \"b\"\n"
    var text = credential.json
    let written = String(decoding: text, as: UTF8.self)
    let read = try Credential(json: &text)
    #expect(read == credential)
    #expect(text.allSatisfy { $0 == 0 })
    for name in [
      "schema", "issuer", "clientId", "subject", "accessToken", "refreshToken", "idToken",
      "scope", "issuedAt", "expiresIn", "generation",
    ] {
      #expect(written.contains("\"\(name)\":"))
    }
    for shown in ["\(credential)", String(reflecting: credential)] {
      #expect(!shown.contains("access-1") && !shown.contains("refresh-1"))
    }
  }

  @Test(
    "What is no credential",
    arguments: [
      "", "{}", "[]", #"{"schema":2,"accessToken":"a","issuer":"i","clientId":"c","issuedAt":1}"#,
      #"{"schema":1,"issuer":"i","clientId":"c","issuedAt":1}"#,
      #"{"schema":1,"accessToken":"a","issuer":"i","clientId":"c","issuedAt":"soon"}"#,
      #"{"schema":1,"accessToken":"a","issuer":"i","clientId":"c","issuedAt":1,"expiresIn":-1}"#,
    ])
  func others(_ text: String) {
    var bytes = Array(text.utf8)
    #expect(throws: (any Error).self) { try Credential(json: &bytes) }
  }
}
