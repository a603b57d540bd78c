import LunaUplink
import Testing

struct RelayTargetTests {
  @Test(arguments: [
    ("https://luna.example", "luna.example", 443),
    ("HTTPS://Luna.Example:8443/", "luna.example", 8443),
    ("https://[::1]:8443/a?b", "::1", 8443), ("https://[::1]", "::1", 443),
  ])
  func reads(_ url: String, _ host: String, _ port: UInt16) throws {
    let target = try #require(RelayTarget(https: url))
    #expect(target.host == host && target.port == port)
  }

  @Test(arguments: [
    "", "http://luna.example", "luna.example", "https://", "https://:443", "https://a:0",
    "https://a:65536", "https://a:x", "https://user@a", "https://[::1", "https://a b", "https://ä",
    "https://a:+1", "https://a:443:443", "https://[::1]x",
  ])
  func refuses(_ url: String) {
    #expect(RelayTarget(https: url) == nil)
  }
}
