import Testing

@testable import LunaAccount

@Suite("Addresses are read in one way")
struct WebAddressTests {
  @Test(
    "Scheme, host and port",
    arguments: [
      ("https://H.example", "https://h.example", "/"),
      ("HTTPS://h.example:443/a?b#c", "https://h.example", "/a?b"),
      ("http://127.0.0.1:80/", "http://127.0.0.1", "/"),
      ("http://[0:0:0:0:0:0:0:1]:8080/x", "http://[::1]:8080", "/x"),
      ("https://h.example?q", "https://h.example", "/?q"),
    ])
  func reads(_ text: String, _ origin: String, _ target: String) {
    let address = WebAddress(text)
    #expect(address?.origin == origin)
    #expect(address?.target == target)
  }

  @Test(
    "What could be read in two ways is none",
    arguments: [
      "", "h.example", "ftp://h.example/", "https:/h.example", "https://", "https:///x",
      "https://user@h.example/", "https://h.example@evil.example/", "https://h.example\\@evil/",
      "https://h example/", "https://h.example:0/", "https://h.example:99999/",
      "https://h.example:/",
      "https://127.1/", "https://0x7f.0.0.1/", "https://2130706433/", "https://0177.0.0.1/",
      "https://127.0.0.01/", "https://[::1", "https://[::1]x/", "https://[fe80::1%25eth0]/",
      "https://h%65.example/", "https://é.example/", "https://h.example/\r\nX: y",
      "https://h\u{0}/",
    ])
  func refuses(_ text: String) { #expect(WebAddress(text) == nil) }

  @Test(
    "This machine",
    arguments: [
      ("http://localhost/", true), ("http://127.9.9.9/", true), ("http://[::1]/", true),
      ("http://127.0.0.1.example/", false), ("http://localhost.example/", false),
      ("http://[::ffff:127.0.0.1]/", false), ("http://128.0.0.1/", false),
    ])
  func loopback(_ text: String, _ isLoopback: Bool) {
    #expect(WebAddress(text)?.isLoopback == isLoopback)
  }

  @Test(
    "Where a reference leads (RFC 3986, 5.2)",
    arguments: [
      ("/x", "http://h.example:8/x"), ("x", "http://h.example:8/a/x"),
      ("?y", "http://h.example:8/a/b?y"),
      ("//o.example/z", "http://o.example/z"), ("https://o.example", "https://o.example/"),
      ("", "http://h.example:8/a/b?q"), ("#f", "http://h.example:8/a/b?q"),
    ])
  func resolves(_ reference: String, _ text: String) throws {
    let address = try #require(WebAddress("http://h.example:8/a/b?q"))
    #expect(address.resolving(reference)?.text == text)
  }

  @Test(
    "Where none leads", arguments: ["javascript:alert(1)", "file:///etc/passwd", "//u@o.example/"])
  func leadsNowhere(_ reference: String) throws {
    let address = try #require(WebAddress("http://h.example/"))
    #expect(address.resolving(reference) == nil)
  }
}
