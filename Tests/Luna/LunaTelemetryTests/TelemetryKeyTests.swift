import Testing

@testable import LunaTelemetry

@Suite("Keys")
struct TelemetryKeyTests {
  @Test(
    "What is a key",
    arguments: [
      "a.b", "luna.finder.event.recovery", "A-1_.b",
      Array(repeating: "a", count: 16).joined(separator: "."),
      String(repeating: "x", count: 64) + "." + String(repeating: "y", count: 64),
    ])
  func good(text: String) throws {
    #expect(try TelemetryKey(text).description == text)
  }

  @Test(
    "What is none",
    arguments: [
      "", "a", ".", "a.", ".a", "a..b", "a.ü", "a.b/c", "a.b\n", "a.b\0",
      String(repeating: "x", count: 65) + ".a",
      Array(repeating: "a", count: 17).joined(separator: "."),
      Array(repeating: String(repeating: "x", count: 63), count: 4).joined(separator: ".") + ".x",
    ])
  func bad(text: String) {
    #expect(throws: TelemetryError.self) { try TelemetryKey(text) }
  }

  @Test("Spaces become underscores")
  func spaces() throws {
    #expect(try TelemetryKey("my app.a b").description == "my_app.a_b")
  }

  @Test("255 bytes fit")
  func length() throws {
    let part = String(repeating: "x", count: 63)
    let text = [part, part, part, part].joined(separator: ".")
    #expect(text.utf8.count == 255)
    #expect(try TelemetryKey(text).description == text)
  }

  @Test("A root is made to fit", arguments: [("my app", "my_app"), ("", "luna"), ("a.b", "a.b")])
  func root(text: String, key: String) {
    #expect(TelemetryKey(root: text).description == key)
  }
}
