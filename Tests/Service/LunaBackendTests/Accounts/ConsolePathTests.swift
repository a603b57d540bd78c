import Testing

@testable import LunaBackend

@Suite("Where a browser goes after signing in")
struct ConsolePathTests {
  @Test(
    "Pages of the console",
    arguments: [
      "/ui/", "/ui/map", "/ui/?q=a%20OR%20b", "/ui/gateways/0123456789abcdef?edit=1", "/ui/a.b/..c",
    ])
  func pages(_ text: String) { #expect(ConsolePath(text)?.path == text) }

  @Test(
    "Nothing else",
    arguments: [
      "", "/", "/ui", "/uix/", "//evil.example/ui/", "https://evil.example/ui/",
      "/ui//evil.example",
      "/ui/..", "/ui/../v1", "/ui/.", "/ui/%2e%2E/v1", "/ui/.%2e/v1", "/ui/a/../b", "/ui/\\evil",
      "/\\evil",
      "/ui/\t/evil", "/ui/ a", "/ui/a\r\nb", "/ui/ü", "/ui/#a", "javascript:1",
      "/ui/" + String(repeating: "x", count: 1024),
    ])
  func others(_ text: String) { #expect(ConsolePath(text) == nil) }
}
