import LunaJSON
import Testing

@testable import LunaAccount

@Suite("What an issuer says of itself")
struct IssuerMetadataTests {
  private static let issuer = "https://issuer.example"

  private func metadata(_ name: String, _ value: JSONValue) throws -> IssuerMetadata {
    var object: JSONObject = ["issuer": .string(IssuerMetadataTests.issuer)]
    if name != "token_endpoint" {
      object.append("token_endpoint", .string(IssuerMetadataTests.issuer + "/token"))
    }
    object.append(name, value)
    return try IssuerMetadata(JSONValue.object(object).bytes, of: IssuerMetadataTests.issuer)
  }

  @Test("An endpoint that is empty or null is none", arguments: ["", .null] as [JSONValue])
  func endpoints(_ value: JSONValue) throws {
    #expect(try metadata("revocation_endpoint", value).revocationEndpoint == nil)
    #expect(try metadata("authorization_endpoint", value).authorizationEndpoint == nil)
    #expect(try metadata("device_authorization_endpoint", value).deviceEndpoint == nil)
    #expect(try metadata("jwks_uri", value).keysAddress == nil)
    #expect(throws: AccountError.self) { try metadata("token_endpoint", value) }
  }

  @Test(
    "One that is no https address is refused",
    arguments: ["http://issuer.example/", " ", 1] as [JSONValue])
  func addresses(_ value: JSONValue) throws {
    #expect(throws: AccountError.self) { try metadata("revocation_endpoint", value) }
    // What nobody needs is left out.
    #expect(try metadata("userinfo_endpoint", value).userinfoEndpoint == nil)
  }
}
