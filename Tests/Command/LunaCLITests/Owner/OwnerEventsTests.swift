import CommandSpec
import Testing

@testable import LunaCLI

@Suite struct OwnerEventsTests {
  private func form(_ words: [String]) throws -> OwnerEventsCommand.Form? {
    try OwnerEventsCommand.command.parse(["keys", "--from", "today"] + words).form
  }

  /// `--format` is the word for the form; scripts that say `--as json` get what they got.
  @Test func theFormHasTwoWords() throws {
    #expect(try form([]) == nil)
    for form in OwnerEventsCommand.Form.allCases {
      #expect(try self.form(["--format", form.rawValue]) == form)
      #expect(try self.form(["--as", form.rawValue]) == form)
    }
    #expect(try form(["--as", "json"]) == .jsonl)
    #expect(throws: UsageError.self) { try form(["--format", "json"]) }
  }
}
