import LunaJSON
import Testing

/// What a document has to have, member by member.
@Suite struct JSONMembersTests {
  private func members(_ value: JSONValue) throws -> JSONMembers {
    try JSONMembers(["a": value], name: "it")
  }

  @Test(arguments: ["a", "Z9-_", "abcde"]) func wordsAreTaken(text: String) throws {
    #expect(try members(.string(text)).word("a", limit: 5) == text)
  }

  @Test(arguments: ["", "abcdef", "a b", "\u{E4}", "a/b", "a.b"])
  func whatIsNoWordIsRefused(text: String) throws {
    let members = try members(.string(text))
    #expect(throws: FormatError.self) { try members.word("a", limit: 5) }
  }

  /// Of characters, not of bytes.
  @Test func aTextHasALimit() throws {
    let members = try members("\u{E4}\u{F6}\u{FC}")
    #expect(try members.optionalString("a", limit: 3) == "\u{E4}\u{F6}\u{FC}")
    #expect(throws: FormatError.self) { try members.optionalString("a", limit: 2) }
    #expect(try members.optionalString("b", limit: 2) == nil)
    #expect(try self.members(.null).optionalString("a", limit: 2) == nil)
  }

  @Test func aNumberHasARange() throws {
    for number: Int64 in [3, 5] {
      #expect(try members(.integer(number)).integer("a", in: 3...5) == number)
    }
    for value: JSONValue in [2, 6, "4", .real(4), .null] {
      let members = try members(value)
      #expect(throws: FormatError.self) { try members.integer("a", in: 3...5) }
    }
  }

  @Test func whatIsMissingIsNamed() throws {
    let members = try members([1])
    #expect(try members.array("a") == [1])
    #expect(throws: FormatError("b", "is missing")) { try members.array("b") }
    #expect(throws: FormatError("a", "is not a string")) { try members.string("a") }
    #expect(throws: FormatError("it", "is not an object")) { try JSONMembers([1], name: "it") }
  }
}
