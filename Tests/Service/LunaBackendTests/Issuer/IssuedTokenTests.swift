import Testing

@testable import LunaBackend

@Suite("Tokens of the own issuer")
struct IssuedTokenTests {
  @Test("What is made can be read, as what it is only")
  func roundTrip() throws {
    let family = try IssuedToken.newFamily()
    for kind in [IssuedToken.Kind.access, .refresh, .device] {
      let token = try IssuedToken(kind, family: family)
      let read = try #require(IssuedToken(kind, token.text))
      #expect(read.text == token.text)
      #expect(read.family == (kind == .refresh ? family : ""))
      for other in [IssuedToken.Kind.access, .refresh, .device] where other != kind {
        #expect(IssuedToken(other, token.text) == nil)
      }
      #expect(try token.digest() != IssuedToken(kind, family: family).digest())
    }
  }

  @Test("What is none")
  func others() throws {
    let text = try IssuedToken(.access).text
    for wrong in [
      "", "luna-access-", String(text.dropLast()), String(text.dropLast(2)), text + "0",
      text + "00", text.uppercased(), "luna-access-" + text.dropFirst(12).uppercased(), " " + text,
    ] where wrong != text {
      // A token of digits alone has no other case.
      guard wrong.lowercased() != text || wrong != text else { continue }
      #expect(IssuedToken(.access, wrong) == nil, "\(wrong)")
    }
  }
}
