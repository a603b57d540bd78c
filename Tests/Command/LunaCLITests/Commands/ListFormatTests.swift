import Testing

/// Lists as comma-separated values.
@Suite(.timeLimit(.minutes(10)))
struct ListFormatTests {
  private static let card =
    "LUNACARD:1:AY9Axa22jyViSuWyFOp2em7JTYKdPXteGtG6bz4hOChfA0Jlbg"
  private let luna: Luna

  init() throws { luna = try Luna() }

  private func rows(_ words: String...) async throws -> [[String]] {
    let answer = try await luna.run(words + ["--format", "csv"])
    #expect(answer.code == 0, "\(answer.errors)")
    return answer.output.split(separator: "\n").map { row in
      row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test func contactsAreRows() async throws {
    let words = ["contact", "add", "ben", "--email", "ben@example.org", "--card", Self.card]
    #expect(try await luna.run(words).code == 0)
    let list = try await rows("contact", "list")
    #expect(list.first == ["name", "code", "verified", "email", "addedAt"])
    let ben = try #require(list.last)
    #expect(list.count == 2 && ben.count == 5, "\(list)")
    #expect(ben[0] == "ben" && ben[2] == "false" && ben[3] == "ben@example.org")
  }

  @Test func trackersAreRows() async throws {
    #expect(try await luna.run(["tracker", "create", "one"]).code == 0)
    let list = try await rows("tracker", "list")
    #expect(list.first == ["tracker", "state", "device", "onboardingTimestamp"])
    #expect(list.count == 2 && list.last?.first == "one", "\(list)")
    let codes = try await rows("tracker", "list", "--codes")
    #expect(codes.first?.last == "code" && codes.last?.last?.hasPrefix("LUNA1:") == true)
  }

  @Test func settingsAreRows() async throws {
    let file = try luna.file("luna.conf", "[scan]\ntrackers = yes\n")
    let list = try await rows("config", "show", "scan", "--config", file)
    #expect(
      list.first == ["command", "option", "value", "origin", "file", "line", "variable"])
    #expect(list.contains { $0.count == 7 && $0[3] == "file" && $0[5] == "2" }, "\(list)")
    #expect(try await rows("uplink", "settings").first == list.first)
  }

  @Test func whatIsBuiltInIsRows() async throws {
    let profiles = try await rows("uplink", "profiles")
    #expect(profiles.first == ["name", "original", "control", "compared"])
    #expect(profiles.count > 1)
    let keys = try await rows("home", "schema", "--keys")
    #expect(keys.first == ["path", "value", "required", "default", "meaning"])
    #expect(keys.contains { $0.first == "version" }, "\(keys.prefix(3))")
  }

  @Test func tokensOfAHomeAreRows() async throws {
    let add = try await luna.run(["home", "account", "token", "add", "ha"])
    #expect(add.code == 0, "\(add.errors)")
    let list = try await rows("home", "account", "token", "list")
    #expect(list.first == ["name", "role", "createdAt"])
    #expect(list.count == 2 && list.last?.prefix(2) == ["ha", "member"], "\(list)")
    // Only a list has rows.
    let refused = try await luna.run(
      ["home", "account", "token", "add", "hb", "--format", "csv"])
    #expect(refused.code == 2)
  }

  @Test func anEmptyListHasItsColumns() async throws {
    #expect(try await rows("share", "list").map(\.first) == ["id"])
    #expect(try await rows("notify", "list").map(\.first) == ["id"])
    #expect(try await rows("uplink", "results").map(\.first) == ["id"])
  }
}
