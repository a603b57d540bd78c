import Testing

@testable import UplinkProtocol

/// WebSockets opened by others.
struct WebSocketAnswerTests {
  /// The key of RFC 6455, 1.3.
  private static let key = "dGhlIHNhbXBsZSBub25jZQ=="

  @Test func answersTheKey() throws {
    let answer = try WebSocketAnswer(method: "GET", version: "13", key: Self.key)
    #expect(answer.accept == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  /// Not 16 bytes, not whole, not Base64.
  @Test(arguments: [
    nil, "", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZTEy", "dGhlIHNhbXBsZSBub25j",
    "dGhlIHNhbXBsZSBub25jZ?==",
  ])
  func otherKeysAreNone(key: String?) {
    #expect(throws: WebSocketAnswer.Refusal.malformed) {
      _ = try WebSocketAnswer(method: "GET", version: "13", key: key)
    }
  }

  @Test func onlyGETOpens() {
    #expect(throws: WebSocketAnswer.Refusal.malformed) {
      _ = try WebSocketAnswer(method: "POST", version: "13", key: Self.key)
    }
  }

  @Test(arguments: [nil, "8", "13, 8", "013"])
  func otherVersionsAreRefused(version: String?) {
    #expect(throws: WebSocketAnswer.Refusal.version) {
      _ = try WebSocketAnswer(method: "GET", version: version, key: Self.key)
    }
  }
}
