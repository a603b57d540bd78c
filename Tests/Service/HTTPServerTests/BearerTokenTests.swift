import Testing

@testable import HTTPServer

@Suite struct BearerTokenTests {
  @Test(
    arguments: [
      ("Bearer a", "a"), ("bearer   a b", "a b"), (" BEARER a ", "a"), ("Bearer", nil),
      ("Bearer ", nil), ("Bearera", nil), ("Bearer\ta", nil), ("Basic a", nil), ("", nil),
    ] as [(String, String?)])
  func itStandsBehindTheSchemeAndSpaces(text: String, token: String?) {
    let fields = [HTTPHeader("Authorization".utf8, text.utf8)]
    #expect(HTTPHead(method: "GET", target: "/", headers: fields).bearerToken == token)
  }
}
