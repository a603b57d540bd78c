import Foundation
import Testing

/// `luna home account`: what accounts may, as a user says it.
@Suite(.timeLimit(.minutes(10)))
struct HomeAccountCommandTests {
  private let luna: Luna

  init() throws { luna = try Luna() }

  private func run(_ words: String...) async throws -> Luna.Answer {
    try await luna.run(["home", "account"] + words + ["--format", "jsonl"])
  }

  private func guest() async throws -> [String: Any] {
    try #require(try await run("list").lines.first { $0["name"] as? String == "bob" })
  }

  @Test func aChangeIsListed() async throws {
    let invited = try await run(
      "invite", "bob", "--trackers", "keys,my bike", "--until", "2031-05-06T10:00:00Z")
    #expect(invited.code == 0, "\(invited.errors)")
    var bob = try await guest()
    #expect(bob["trackers"] as? [String] == ["keys", "my bike"])
    #expect((bob["until"] as? String)?.hasPrefix("2031-05-06T10:00:00") == true)
    let edited = try await run("edit", "bob", "--see", "keys", "--until", "never")
    #expect(edited.code == 0 && edited.errors.contains("bob has to sign in again"))
    bob = try await guest()
    #expect(bob["trackers"] as? [String] == ["my bike"])
    #expect(bob["see"] as? [String] == ["keys"])
    #expect(bob["until"] == nil && bob["role"] as? String == "guest")
    let table = try await luna.run(["home", "account", "list", "--format", "table"])
    #expect(table.output.contains("my bike, keys (sees)"), "\(table.output)")
    let rows = try await luna.run(["home", "account", "list", "--format", "csv"])
    let start =
      "name,role,state,totp,until,trackers,see,createdAt\nbob,guest,invited,false,,my bike,keys,20"
    #expect(rows.output.hasPrefix(start), "\(rows.output)")
  }

  @Test func whatCannotBeMeantIsRefused() async throws {
    _ = try await run("invite", "bob", "--trackers", "keys")
    for (words, code) in [
      (["bob"], 2), (["bob", "--until", "soon"], 2), (["bob", "--see", "keys=ring@0"], 2),
      (["bob", "--role", "king"], 2), (["eve", "--role", "member"], 1),
    ] as [([String], Int32)] {
      let answer = try await luna.run(["home", "account", "edit"] + words)
      #expect(answer.code == code, "\(words): \(answer.errors)")
    }
    #expect(try await guest()["trackers"] as? [String] == ["keys"])
  }
}
