import CommandSpec
import Testing

@testable import LunaCLI

/// What the help shows as an example can be typed.
@Suite struct ExampleTests {
  static let lines = LunaCommand.tree.description.pages().flatMap {
    $0.command.examples.map(\.line).filter { $0.hasPrefix("luna ") }
  }

  /// Words that stand for something of the reader's own, and an example of that.
  static let placeholders = [
    "EID": "b6e7b607bdc2304a", "AOTP": "e5c8013424402b", "ESF": "a77593",
    "HEID": "a09867114718541141ed60664ce88cbb",
  ]

  @Test(arguments: Self.lines) func isAccepted(_ line: String) throws {
    let words = words(of: line).dropFirst().map { Self.placeholders[$0] ?? $0 }
    guard case .run(let match) = try LunaCommand.tree.parse(words) else {
      Issue.record("nothing would run")
      return
    }
    _ = try match.resolve()
  }

  /// The words that a shell makes of it, up to the first redirection.
  private func words(of line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      switch (character, quote) {
      case (let end, let open?) where end == open: quote = nil
      case ("'", nil), ("\"", nil):
        quote = character
        word = word ?? ""
      case (" ", nil):
        if let done = word { words.append(done) }
        word = nil
      case (">", nil), ("<", nil), ("|", nil): return words
      default: word = (word ?? "") + [character]
      }
    }
    if let word { words.append(word) }
    return words
  }
}
