import LunaJSON
import Testing

@testable import LunaFleet

@Suite struct SavedFiltersTests {
  private static func read(_ text: String) throws -> SavedFilters {
    try SavedFilters(json: try JSONReader.read(Array(text.utf8)))
  }

  @Test func keepsOnesOwnAndLeavesOutThoseOfOthers() throws {
    let filters = try Self.read(
      """
      {"filters":[{"name":"Bad ones","q":"verdict:bad","shared":true},{"name":"All","q":""},
      {"name":"Bad ones","q":"x","owner":"ann"},{"name":"n","q":"x","shared":null}]}
      """)
    #expect(filters.list.map(\.name) == ["Bad ones", "All", "n"])
    #expect(filters.list.map(\.isShared) == [true, false, false])
    #expect(try SavedFilters(json: filters.json) == filters)
    #expect(SavedFilters.read(nil).list.isEmpty)
    #expect(SavedFilters.read(["filters": 3]).list.isEmpty)
  }

  @Test(
    arguments: [
      "[]", "{}", "3", #"{"filters":{}}"#, #"{"filters":[3]}"#, #"{"filters":[{"name":"a"}]}"#,
      #"{"filters":[{"name":"","q":"a"}]}"#, #"{"filters":[{"name":"a\nb","q":"a"}]}"#,
      #"{"filters":[{"name":"a","q":"nofield:1"}]}"#,
      #"{"filters":[{"name":"a","q":"a","shared":1}]}"#,
      #"{"filters":[{"name":"a","q":"a"},{"name":"a","q":"b"}]}"#,
      #"{"filters":[{"name":"a","q":"a","owner":3}]}"#,
      #"{"filters":[{"name":" ","q":"a"}]}"#, #"{"filters":[{"name":"\u200B","q":"a"}]}"#,
      #"{"filters":[{"name":"a\u202Eb","q":"a"}]}"#, #"{"filters":[{"name":"a\u0085b","q":"a"}]}"#,
      #"{"filters":[{"name":"a","q":"a"},{"name":" a ","q":"b"}]}"#,
    ])
  func refuses(text: String) throws {
    let error = #expect(throws: FleetError.self) { try Self.read(text) }
    #expect(error?.code == .fieldValue)
  }

  /// As the description of the API counts them, which is not by what is seen as one.
  @Test func namesHaveEightyCharacters() throws {
    func text(_ count: Int) -> String {
      #"{"filters":[{"name":"e\#(String(repeating: "\u{301}", count: count))","q":""}]}"#
    }
    #expect(try Self.read(text(79)).list.count == 1)
    #expect(throws: FleetError.self) { try Self.read(text(80)) }
  }

  @Test func whatIsNotUnderstoodCostsNoOther() {
    let kept: JSONValue = [
      "filters": [
        ["name": "a", "q": "site:x"], ["name": "b", "q": "nofield:1"], 3,
        ["name": "a\u{202E}", "q": ""], ["name": " a", "q": "tag:x"],
        ["name": "c", "q": "", "shared": true],
      ]
    ]
    #expect(SavedFilters.read(kept).list.map(\.name) == ["a", "c"])
    #expect(SavedFilters.read(kept).list.map(\.isShared) == [false, true])
  }

  @Test func hasAnEnd() throws {
    func text(_ count: Int) -> String {
      let list = (0..<count).map { #"{"name":"\#($0)","q":"a"}"# }.joined(separator: ",")
      return #"{"filters":[\#(list)]}"#
    }
    #expect(try Self.read(text(SavedFilters.limit)).list.count == SavedFilters.limit)
    #expect(throws: FleetError.self) { try Self.read(text(SavedFilters.limit + 1)) }
  }
}
