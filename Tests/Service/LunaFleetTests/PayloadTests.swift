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

  /// Behind the checksum, where mutated texts do not come.
  @Test func hundredThousandMutatedFieldsNeverTrap() throws {
    var mutations = Mutations(seed: 5)
    let start: [UInt8] =
      [1, 16] + Array(0..<16) + [2, 2, 65, 66, 5, 4, 1, 2, 3, 4, 8, 8, 0, 0, 0, 0, 0, 0, 0, 1]
    for _ in 0..<100_000 {
      var fields = start
      mutations.change(&fields)
      let sum = CRC32.checksum(fields)
      let bytes = fields + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
      let text = GatewayPayload.prefix + CrockfordText.encode(bytes)
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
