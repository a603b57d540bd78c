import LunaCore
import LunaJSON
import LunaProtocol
import LunaWire
import Testing

/// Request ids and codes are words: nothing that others send in their place gets in.
struct WordTests {
  private static let bad = [
    "", "a b", "a/b", "a\n", "\u{1B}[2J", "a\u{202E}", "ä", "a\0", "..%2f",
    String(repeating: "a", count: 129),
  ]

  private static func confirmation(_ id: String) throws -> CommandConfirmation {
    try CommandConfirmation(json: [
      "requestId": .string(id), "heid": .string(String(repeating: "0", count: 32)),
      "outcome": "failed",
    ])
  }

  @Test(arguments: bad)
  func refusesOthers(_ id: String) {
    #expect(throws: FormatError.self) { try Self.confirmation(id) }
    #expect(throws: FormatError.self) {
      try CommandRequest(json: [
        "requestId": .string(id), "expiresAt": "2026-11-21T10:00:00Z", "controlPackages": [],
      ])
    }
    #expect(throws: FormatError.self) {
      try CommandStatus(json: [
        "requestId": .string(id), "state": "queued", "createdAt": "2026-11-21T10:00:00Z",
        "expiresAt": "2026-11-21T10:00:00Z",
      ])
    }
    #expect(throws: FormatError.self) {
      try EventOutcome.read(["index": 0, "status": "rejected", "code": .string(id)])
    }
    #expect(throws: FormatError.self) {
      try ProblemDocument(json: ["status": 400, "title": "x", "code": .string(id)])
    }
  }

  @Test(arguments: ["0123456789abcdef0123456789abcdef", "8E1F-4b_"])
  func takesWords(_ id: String) throws {
    #expect(try Self.confirmation(id).requestID == id)
  }

  @Test func whatOthersSayIsEscaped() throws {
    let problem = try ProblemDocument(json: [
      "status": 400, "title": "\u{1B}[2J", "detail": "a\nits receipt is genuine", "code": "x",
    ])
    #expect("\(problem.title)" == "\\x1b[2J")
    #expect(problem.detail.map { "\($0)" } == "a\\x0aits receipt is genuine")
    #expect(problem.json().description.contains(#""title":"\u001b[2J""#))
  }
}
