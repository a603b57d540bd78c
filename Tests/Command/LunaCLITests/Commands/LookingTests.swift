import Foundation
import Testing

/// What only looks makes nothing.
@Suite(.timeLimit(.minutes(10)))
struct LookingTests {
  static let commands: [([String], Int32)] = [
    (["owner", "list"], 0), (["owner", "show", "keys"], 1), (["owner", "export", "-"], 0),
    (["owner", "events", "keys", "--from", "today", "--backend", "http://127.0.0.1:1"], 1),
    (["contact", "list"], 0), (["share", "list"], 0), (["share", "show", "6BA7B810"], 1),
    (["keys", "--device", "keys"], 1), (["home", "init", "-"], 0), (["uplink", "results"], 0),
    (["home", "account", "list"], 0), (["notify", "list"], 0), (["tracker", "list"], 0),
    (["finder", "status"], 1), (["telemetry", "status"], 0),
    // Of a backend it is an error, as for its tokens.
    (["account", "list"], 8), (["account", "sessions", "ada"], 8),
    (["backend", "token", "list"], 8),
  ]

  @Test(arguments: commands)
  func leavesNoDirectory(words: [String], code: Int32) async throws {
    let luna = try Luna()
    let (state, temporary) = (luna.directory + "/mistyped/luna", luna.directory + "/temporary")
    try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
    let answer = try await luna.run(
      words + ["--state", state], environment: ["TMPDIR": temporary])
    #expect(answer.code == code, "\(answer.errors)")
    #expect(!FileManager.default.fileExists(atPath: luna.directory + "/mistyped"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
  }
}
