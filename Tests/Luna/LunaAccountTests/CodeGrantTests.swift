import LunaCrypto
import Testing

@testable import LunaAccount

@Suite("A code with proof of who asked for it (RFC 7636)")
struct CodeGrantTests {
  private func make(namesItself: Bool = false) throws -> CodeGrant {
    try CodeGrant(
      issuer: "https://id.example", clientID: "luna", redirectURL: "http://127.0.0.1:7/callback",
      namesItself: namesItself)
  }

  private func failure(_ grant: CodeGrant, _ query: String) -> AccountError.Code? {
    do throws(AccountError) {
      _ = try grant.code(in: query)
      return nil
    } catch {
      return error.code
    }
  }

  @Test("RFC 7636, appendix B")
  func challenge() throws {
    let verifier = SecretBytes("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    #expect(try CodeGrant.challenge(of: verifier) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test("Each attempt has its own verifier, state and nonce, long enough not to be guessed")
  func randomness() throws {
    let (one, other) = (try make(), try make())
    #expect(one.verifier != other.verifier && one.verifier.count == 43)
    #expect(one.state != other.state && one.state.utf8.count == 32)
    #expect(one.nonce != other.nonce && one.nonce != one.state)
  }

  @Test("What the issuer is asked")
  func address() throws {
    let grant = try make()
    let endpoint = try #require(WebAddress("https://id.example/authorize?x=1"))
    let text = try grant.address(at: endpoint, scope: "openid a+b")
    let address = try #require(WebAddress(text))
    let fields = FormText.fields(of: address.target.drop { $0 != "?" }.dropFirst())
    #expect(fields["x"] == "1")
    #expect(fields["response_type"] == "code")
    #expect(fields["redirect_uri"] == "http://127.0.0.1:7/callback")
    #expect(fields["scope"] == "openid a+b")
    #expect(fields["code_challenge_method"] == "S256")
    #expect(fields["code_challenge"] == (try CodeGrant.challenge(of: grant.verifier)))
    #expect(!text.contains(grant.verifier.text))
  }

  @Test("What comes back has to belong to it")
  func redirect() throws {
    let grant = try make()
    #expect(try grant.code(in: "code=a%2Bb&state=\(grant.state)").text == "a+b")
    #expect(failure(grant, "code=a&state=other") == .stateMismatch)
    #expect(failure(grant, "code=a") == .stateMismatch)
    #expect(failure(grant, "code=a&state=\(grant.state)&state=\(grant.state)") == .stateMismatch)
    #expect(failure(grant, "code=a&state=") == .stateMismatch)
    #expect(failure(grant, "state=\(grant.state)") == .undecodable)
    #expect(failure(grant, "error=access_denied&state=\(grant.state)") == .denied)
    #expect(failure(grant, "error=server_error&state=\(grant.state)") == .configuration)
    #expect(failure(grant, "error=access_denied&state=x") == .stateMismatch)
    for twice in ["error=a&error=b", "iss=a&iss=b", "iss=a&%69ss=a", "error&error"] {
      #expect(failure(grant, "code=a&state=\(grant.state)&\(twice)") == .stateMismatch, "\(twice)")
    }
    #expect(failure(grant, "code=a&state=\(grant.state)&x=1&x=2") == nil)
  }

  @Test("The issuer is checked where it is given, and has to be where it says so (RFC 9207)")
  func issuer() throws {
    let (quiet, naming) = (try make(), try make(namesItself: true))
    let own = "&iss=https%3A%2F%2Fid.example"
    for grant in [quiet, naming] {
      #expect(failure(grant, "code=a&state=\(grant.state)\(own)") == nil)
      #expect(failure(grant, "code=a&state=\(grant.state)\(own)%2F") == .stateMismatch)
    }
    #expect(failure(quiet, "code=a&state=\(quiet.state)") == nil)
    #expect(failure(naming, "code=a&state=\(naming.state)") == .stateMismatch)
  }

  @Test("What is pasted: an address, its query, or the code")
  func pasted() throws {
    let grant = try make()
    for text in [
      " http://127.0.0.1/callback?code=abc&state=\(grant.state)\n",
      "code=abc&state=\(grant.state)", "abc",
      "http://127.0.0.1/callback?state=\(grant.state)&code=abc#x",
    ] {
      #expect(try grant.code(pasted: text).text == "abc")
    }
    #expect(try grant.code(pasted: "YWJj/Q== ").text == "YWJj/Q==")
    #expect(throws: AccountError.self) { try grant.code(pasted: "code=YWJjZA==") }
    #expect(throws: AccountError.self) { try grant.code(pasted: "http://h/?code=abc&state=x") }
    #expect(throws: AccountError.self) { try grant.code(pasted: "") }
  }

  @Test("An ID token of another issuer, program or sign-in is refused")
  func idToken() throws {
    let grant = try make()
    func code(_ claims: String) -> AccountError.Code? {
      var tokens = TokenGrant(accessToken: SecretBytes("a"))
      tokens.idToken = SecretBytes(Samples.idToken(claims))
      do throws(AccountError) {
        try grant.check(tokens)
        return nil
      } catch {
        return error.code
      }
    }
    let nonce = #""nonce":"\#(grant.nonce)""#
    #expect(code(#"{"iss":"https://id.example","aud":["x","luna"],\#(nonce)}"#) == nil)
    #expect(code(#"{"iss":"https://id.example","aud":"luna",\#(nonce)}"#) == nil)
    #expect(code(#"{"iss":"https://id.example/","aud":"luna",\#(nonce)}"#) == .stateMismatch)
    #expect(code(#"{"iss":"https://id.example","aud":"other",\#(nonce)}"#) == .stateMismatch)
    #expect(code(#"{"iss":"https://id.example","aud":"luna"}"#) == .stateMismatch)
    #expect(
      code(#"{"iss":"https://id.example","aud":"luna","nonce":"x"}"#) == .stateMismatch)
    #expect(code("nonsense") == .undecodable)
  }
}
