import HTTPServer
import Testing

@testable import LunaBackend

@Suite struct PublicURLTests {
  @Test(arguments: [
    ("https://Luna.Example", "https://luna.example", "luna.example", true, "__Host-luna"),
    (
      "https://luna.example:8443/", "https://luna.example:8443", "luna.example:8443", true,
      "__Host-luna"
    ),
    ("http://127.0.0.1:8080", "http://127.0.0.1:8080", "127.0.0.1:8080", true, "luna-8080"),
    ("http://localhost", "http://localhost", "localhost", true, "luna-80"),
    ("http://[::1]:8080", "http://[::1]:8080", "[::1]:8080", true, "luna-8080"),
    ("http://192.0.2.1:8080", "http://192.0.2.1:8080", "192.0.2.1:8080", false, "luna-8080"),
    ("http://127.example", "http://127.example", "127.example", false, "luna-80"),
    ("http://127.0.0.1.example", "http://127.0.0.1.example", "127.0.0.1.example", false, "luna-80"),
  ])
  func isRead(text: String, origin: String, authority: String, isPrivate: Bool, cookie: String)
    throws
  {
    let url = try #require(PublicURL(text))
    #expect(url.origin == origin)
    #expect(url.authority == authority)
    #expect(url.isPrivate == isPrivate)
    #expect(url.cookieName == cookie)
  }

  @Test(arguments: [
    "", "luna.example", "ftp://luna.example", "https://", "https://a/b", "https://a?b",
    "https://a#b",
    "https://u@a", "https://a:0", "https://a:65536", "https://a:+1", "https://[::1", "https://a b",
    "https://a\n", "https://ä.example", "https://:443",
  ])
  func isRefused(text: String) {
    #expect(PublicURL(text) == nil)
  }

  @Test func whereItListens() {
    let url = PublicURL(isSecure: false, host: "::1", port: 8080)
    #expect(url == PublicURL("http://[::1]:8080"))
    #expect(PublicURL(isSecure: true, host: "a", port: 443).origin == "https://a")
  }
}
