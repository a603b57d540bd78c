import LunaJSON
import Testing

@testable import LunaHome

/// JSON with comments and trailing commas, and what is said of its mistakes.
@Suite struct DialectTests {
  @Test func commentsAndTrailingCommas() {
    let file = HomeFile("/* a */ { // b\n \"name\": /* c */ \"x\", \"places\": [ ], }\n// d")
    #expect(file.problems == [])
    #expect(file.root.json == ["name": "x", "places": []])
  }

  @Test func referenceExample() throws {
    let file = try HomeFiles.read("reference")
    #expect(!file.isUsable)
    let error = try #require(file.problems.first { $0.level == .error })
    #expect(
      error.description(file: "home.json")
        == "home.json:9:27: error missingComma: no ',' between 'schedule' and 'actions'; "
        + "hint: put a comma after true on line 9")
    #expect(error.path == "/devices/0/managedProperties/2/schedule")
    #expect(file.problems.count { $0.level == .error } == 1)
    let mended = HomeFile(file.withCommas)
    #expect(file.withCommas.count == file.bytes.count + 1)
    #expect(mended.isUsable)
    #expect(mended.codesOfUsedKeys == [.unknownReference, .unknownReference])
  }

  @Test func seedHasBothFaults() throws {
    let file = try HomeFiles.read("seed")
    let errors = file.problems.filter { $0.level == .error }
    #expect(errors.map(\.code) == [.missingComma, .extraClose])
    #expect(errors.map(\.line) == [17, 24])
    // The brace that is closed begins on line 3.
    #expect(errors.last?.reason.contains("line 3") == true)
    // It is not mended by itself, but everything behind it is understood.
    let mended = HomeFile(file.withCommas)
    #expect(mended.problems.filter { $0.level == .error }.map(\.code) == [.extraClose])
    #expect(mended.root["devices"]?.elements.first?["name"]?.text == "My Thermostat")
  }

  @Test(arguments: [
    (#"{"a":1 "b":2}"#, "missingComma 1:7"), (#"{"a":[1 2]}"#, "missingComma 1:8"),
    (#"{"a":{} "b":1}"#, "missingComma 1:8"), ("{\"a\":\"ä😀\"\n\"b\":1}", "missingComma 1:10"),
    (#"{"a":[1 } ] }"#, "extraClose 1:9"), (#"{"a":1}}"#, "extraClose 1:8"),
    (#"{"a":1},"b":2}"#, "extraClose 1:7"), (#"{"a":[{"b":1}, "c":2}]}"#, "extraClose 1:13"),
    (#"{"a":1,"a":2}"#, "duplicateKey 1:8"), (#"{"a" 1}"#, "syntax 1:5"),
    (#"{"a":}"#, "syntax 1:2"), (#"{,}"#, "syntax 1:2"), (#"{"a":[1,,2]}"#, "syntax 1:9"),
    (#"{"a":tru}"#, "syntax 1:6"), (#"{"a":01}"#, "syntax 1:6"), (#"{"a":1e999}"#, "syntax 1:6"),
    (#"{"a":"\ud800"}"#, "syntax 1:7"), (#"{"a":"\q"}"#, "syntax 1:7"),
    ("{\"a\":\"x\n}", "syntax 1:6"), ("{'a':1}", "syntax 1:2"), ("{a:1}", "syntax 1:2"),
    ("{} /* x", "syntax 1:4"), ("", "syntax 1:1"), ("{} {}", "syntax 1:4"),
    ("# x\n{}", "syntax 1:1"), (#"{"a":[1}"#, "syntax 1:8"),
  ]) func mistakes(_ text: String, _ expected: String) {
    let errors = HomeFile(text).problems.filter { $0.level == .error }
    #expect(errors.map { "\($0.code.rawValue) \($0.line):\($0.column)" }.first == expected)
    #expect(errors.allSatisfy { $0.code != .wrongType })
  }

  @Test func itGoesOnAfterAMistake() {
    let text = "{\"a\":1 \"name\":5,\n\"places\":[{\"id\":\"p\" \"latitude\":91}],\n\"b\":tru}"
    let errors = HomeFile(text).problems.filter { $0.level == .error }
    #expect(
      errors.map { "\($0.code.rawValue) \($0.line)" } == [
        "missingComma 1", "wrongType 1", "missing 2", "missing 2", "missingComma 2", "range 2",
        "syntax 3",
      ])
  }

  @Test func notUTF8() {
    let file = HomeFile(Array("{\"name\":\"".utf8) + [0xFF] + Array("\"}".utf8))
    #expect(file.brief == ["syntax 1:10"])
    #expect(HomeFile([0xEF, 0xBB, 0xBF] + Array("{\"name\":5}".utf8)).brief == ["wrongType 1:9"])
  }

  @Test func depth() {
    func nested(_ depth: Int) -> HomeFile {
      HomeFile(
        #"{"packages":"# + String(repeating: "[", count: depth - 1)
          + String(repeating: "]", count: depth - 1) + "}")
    }
    #expect(nested(32).codes == [.unknownKey])
    #expect(nested(33).codesOfUsedKeys == [.syntax])
    #expect(nested(100_000).codesOfUsedKeys == [.syntax])
    // Open brackets without end.
    #expect(HomeFile(String(repeating: "[", count: 500_000)).problems.count <= 100)
  }

  @Test func size() {
    let blanks = String(repeating: " ", count: SourceReader.largest - 2)
    #expect(HomeFile(blanks + "{}").problems == [])
    #expect(HomeFile(blanks + " {}").codes == [.syntax])
  }

  @Test(.timeLimit(.minutes(10))) func aMebibyteOfAnything() {
    for text in [
      ",", "[", "]", "}", "{", "\"", "'", "/", ":", "{}", "[}", "{]", "1 ", "\"a\":", "\\",
    ] {
      let count = SourceReader.largest / text.utf8.count
      let file = HomeFile(String(repeating: text, count: count))
      #expect(!file.problems.isEmpty && file.problems.count <= 100)
    }
  }

  @Test func errorsAreNotCrowdedOutByWarnings() {
    let unknown = (0..<300).map { "\"k\($0)\":1," }.joined()
    let file = HomeFile("{\(unknown) \"name\":5}")
    #expect(!file.isUsable)
    #expect(file.problems.count == 100)
    #expect(file.problems.contains { $0.code == .wrongType })
  }

  @Test func commasAreAllThatIsInserted() throws {
    for name in HomeFiles.names {
      let file = try HomeFiles.read(name)
      let mended = file.withCommas
      #expect(mended.count == file.bytes.count + file.missingCommas)
      #expect(HomeFile(mended).missingCommas == 0)
    }
  }

  @Test func whatOthersWroteIsEscaped() {
    let file = HomeFile("{\"\u{1b}[31m\u{202e}\": 1}")
    #expect(file.problems.first?.reason.unicodeScalars.allSatisfy { $0.value >= 0x20 } == true)
  }
}
