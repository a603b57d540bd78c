import LunaJSON
import Testing

@testable import LunaFleet

@Suite struct PayloadTests {
  private static let file = "PayloadVectors.json"

  @Test func readsWhatAnotherProgramWrote() throws {
    let cases = try VectorFile.cases(Self.file, "good")
    #expect(cases.count >= 60)
    for item in cases {
      let name = try item.string("id")
      let payload = try GatewayPayload(text: try item.string("text"))
      #expect(JSONValue.object(payload.json) == item.object["out"], "\(name)")
      // What is written of it says the same.
      #expect(try GatewayPayload(text: payload.text) == payload)
    }
  }

  @Test func refusesInTheOrderOfItsErrors() throws {
    let cases = try VectorFile.cases(Self.file, "bad")
    for item in cases {
      let name = try item.string("id")
      let text = try item.string("text")
      let error = try #require(throws: FleetError.self, "\(name)") {
        try GatewayPayload(text: text)
      }
      #expect(try error.code.rawValue == item.string("code"), "\(name)")
      if let field = item.optional("field") {
        #expect(error.field.map { .string($0) } == field, "\(name)")
      }
      if let position = item.optional("position") {
        #expect(error.position.map { .integer(Int64($0)) } == position, "\(name)")
      }
    }
    let codes = Set(try cases.map { try $0.string("code") })
    #expect(codes == Set(FleetError.Code.allCases.map(\.rawValue).filter { $0.hasPrefix("qr") }))
  }

  @Test func hundredThousandMutatedTextsNeverTrap() throws {
    let texts = try VectorFile.cases(Self.file, "good").map { Array(try $0.string("text").utf8) }
    var mutations = Mutations(seed: 12)
    for index in 0..<100_000 {
      var text = texts[index % texts.count]
      mutations.change(&text)
      let read = try? GatewayPayload(text: String(decoding: text, as: UTF8.self))
      if let read, try GatewayPayload(text: read.text) != read { Issue.record("not the same") }
    }
  }

  /// A label with any fields, and the checksum of these.
  private static func text(of fields: [UInt8]) -> String {
    let sum = CRC32.checksum(fields)
    let bytes = fields + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
    return GatewayPayload.prefix + CrockfordText.encode(bytes)
  }

  /// As names that people type, which they could not tell apart otherwise.
  @Test func textsEndWithoutBlanks() throws {
    let print: [UInt8] = [1, 16] + Array(0..<16)
    func read(_ name: String) throws -> GatewayPayload {
      try GatewayPayload(
        text: Self.text(of: print + [2, UInt8(name.utf8.count)] + Array(name.utf8)))
    }
    #expect(try read("  Hall 3 ").name == "Hall 3")
    for name in [" ", "\u{200B}", "\u{3164} \u{3164}"] {
      let error = #expect(throws: FleetError.self) { try read(name) }
      #expect(error?.code == .qrValue && error?.field == "name")
      #expect(GatewayPayload.fitting(name) == nil)
    }
    #expect(GatewayPayload.fitting(String(repeating: "a", count: 79) + " b")?.utf8.count == 79)
  }

  /// Behind the checksum, where mutated texts do not come.
  @Test func hundredThousandMutatedFieldsNeverTrap() throws {
    var mutations = Mutations(seed: 5)
    let start: [UInt8] =
      [1, 16] + Array(0..<16) + [2, 2, 65, 66, 5, 4, 1, 2, 3, 4, 8, 8, 0, 0, 0, 0, 0, 0, 0, 1]
    for _ in 0..<100_000 {
      var fields = start
      mutations.change(&fields)
      let text = Self.text(of: fields)
      if let read = try? GatewayPayload(text: text), try GatewayPayload(text: read.text) != read {
        Issue.record("not the same")
      }
    }
  }

  @Test func cutsTextsBetweenCharacters() throws {
    #expect(GatewayPayload.fitting(String(repeating: "東", count: 40))?.utf8.count == 78)
    #expect(GatewayPayload.fitting("a\u{1B}b\n") == "ab")
    #expect(GatewayPayload.fitting("\n") == nil)
  }
}
