import LunaClient
import LunaCore
import Testing

@testable import LunaBackend

@Suite struct AccessTokenTests {
  @Test func isReadAsItIsWritten() throws {
    for role in TokenRole.allCases {
      let token = try AccessToken(role)
      let read = try #require(AccessToken(token.text))
      #expect(read.role == role)
      #expect(try read.digest() == token.digest())
      #expect(try AccessToken(role).text != token.text)
      #expect(try !token.record(name: "a", at: Samples.now).digest.isEmpty)
    }
    for text in [
      "", "luna-gateway-", "luna-gateway-00", "luna-guest-" + String(repeating: "0", count: 64),
    ] {
      #expect(AccessToken(text) == nil)
    }
  }

  @Test func isLetInUntilItIsRevoked() async throws {
    let place = try StoragePlace(.sqlite)
    let storage = try await place.prepared()
    let tokens = BearerTokens(
      storage: storage, issuer: OwnIssuer(storage: storage),
      foreign: ForeignTokens([], ClientConfiguration(url: ""), .none, now: { 0 }), isDemo: false)
    func name(of token: AccessToken) async throws -> String? {
      try await tokens.caller(of: token.text, at: Samples.now)?.name
    }
    let token = try AccessToken(.owner)
    let record = try token.record(name: "me", at: Samples.now)
    #expect(try await name(of: token) == nil)
    try await storage.add(record)
    #expect(try await name(of: token) == record.name)
    // The same id with another secret: the whole digest decides.
    let other = TokenRecord(
      id: record.id, role: .owner, name: "me", digest: record.digest.reversed(),
      createdAt: Samples.now, revokedAt: nil)
    #expect(other.digest != record.digest)
    _ = try await storage.revoke(record.id, at: Samples.now)
    #expect(try await name(of: token) == nil)
  }

  @Test func codesAreReadHoweverTheyAreTyped() throws {
    let code = try EnrolmentCode()
    let digits = code.text.filter { $0 != "-" }
    for text in [code.text, digits, digits.uppercased(), " " + code.text + " "] {
      #expect(try EnrolmentCode(text)?.digest() == code.digest())
    }
    #expect(EnrolmentCode("abc") == nil)
    #expect(EnrolmentCode(digits + "00") == nil)
  }

  @Test func namesArePlain() {
    for name in ["a", "kitchen-2.home_x", String(repeating: "a", count: 64)] {
      #expect(TokenRecord.isName(name))
    }
    for name in ["", "a b", "ä", "a/b", "a\n", String(repeating: "a", count: 65)] {
      #expect(!TokenRecord.isName(name))
    }
  }
}
