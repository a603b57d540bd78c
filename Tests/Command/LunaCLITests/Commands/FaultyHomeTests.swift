import Testing

/// What commands say that need a home's file which cannot be used.
@Suite(.timeLimit(.minutes(10)))
struct FaultyHomeTests {
  @Test(arguments: [
    ["rule", "list"], ["rule", "test", "--replay", "-"], ["notify", "test", "mail"],
    ["home", "show"],
  ])
  func tellsEachErrorBeforeTheirNumber(_ words: [String]) async throws {
    let luna = try Luna()
    let path = try luna.file("home.json", "{")
    let place = words[0] == "home" ? [path] : ["--file", path]
    let answer = try await luna.run(words + place)
    #expect(answer.code == 8, "\(answer.errors)")
    let lines = answer.errors.split(separator: "\n")
    #expect(lines.last?.contains("each is told above") == true, "\(answer.errors)")
    #expect(lines.count >= 2 && lines.dropLast().allSatisfy { $0.contains("home.json:1") })
  }
}
