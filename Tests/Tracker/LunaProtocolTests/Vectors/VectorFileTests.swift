import LunaJSON
import LunaTesting
import LunaVectors
import Testing

struct VectorFileTests {
  private func file(_ text: String) throws(VectorError) -> VectorFile {
    try VectorFile(Array(text.utf8))
  }

  @Test func answersStandInOrderByTheirIds() throws {
    var machine = try VectorMachine()
    let file = try file(
      """
      {"groups":{
        "codeText":{"cases":[{"id":"a","in":{"code":"00112233445566778899aabbccddeeff"}}]},
        "nothing":{"cases":[{"id":"b","in":{}}]},
        "address":{"cases":[{"id":"c","in":{"random":"zz"}},
                            {"id":"d","in":{"random":"000000000000"},"out":{"reject":"x"}}]}}}
      """)
    #expect(
      JSONValue.object(machine.answers(to: file)).description
        == #"{"a":{"text":"LUNA1:0024H36H2NCSVRH6DAQF6DVVQZW"},"#
        + #""b":{"error":"unknown group nothing"},"#
        + #""c":{"error":"random is missing or mistyped"},"d":{"reject":"redraw"}}"#)
  }

  @Test func checksNameEveryDifference() throws {
    var machine = try VectorMachine()
    let file = try file(
      """
      {"groups":{"address":{"cases":[
        {"id":"right","in":{"random":"000000000000"},"out":{"reject":"redraw"}},
        {"id":"wrong","in":{"random":"000000000001"},"out":{"reject":"redraw"}},
        {"id":"open","in":{"random":"000000000001"}}]},
        "other":{"cases":[{"id":"far","in":{},"out":1}]}}}
      """)
    let results = machine.check(file)
    #expect(results.map(\.name) == ["address", "other"])
    #expect(results.map(\.passed) == [1, 0])
    #expect(
      results.flatMap { $0.failures.map { "\($0.id): \($0.problem)" } } == [
        #"wrong: expected {"reject":"redraw"}, found {"address":"c0:00:00:00:00:01"}"#,
        "open: the file expects nothing", "far: unknown group other",
      ])
  }

  @Test(arguments: [
    ("", "not JSON: the text ends at byte 0"),
    ("[]", "not a vector file: no groups"),
    ("{\"groups\":{\"a\":1}}", "not a vector file: group a has no cases"),
    (
      "{\"groups\":{\"a\":{\"cases\":[{\"id\":1}]}}}",
      "not a vector file: case 0 of group a has no id or no in"
    ),
    ("{\"a\":1}x", "not JSON: text after the value at byte 7"),
  ])
  func otherFilesAreRefused(text: String, message: String) {
    let error = #expect(throws: VectorError.self) { try file(text) }
    #expect(error?.description == message)
  }

  @Test func numbersAndTextsStayExact() throws {
    let numbers = "[9007199254740993,-0,-9223372036854775808,1.5,1e3,-2.5E-1]"
    let texts = #"["\u00e9\ud83d\ude00\n\"\\\/","é",""]"#
    let file = try file(
      #"{"groups":{"g":{"cases":[{"id":"i","in":{"n":\#(numbers),"t":\#(texts)}}]}}}"#)
    let input = try #require(file.groups.first?.cases.first?.input)
    #expect(
      input["n"]
        == .array([
          .integer(9_007_199_254_740_993), .integer(0), .integer(.min), .real(1.5), .real(1000),
          .real(-0.25),
        ]))
    #expect(input["t"] == .array([.string("é😀\n\"\\/"), .string("é"), .string("")]))
    #expect(input["t"]?.description == #"["é😀\n\"\\/","é",""]"#)
  }

  @Test(arguments: [
    "01", "1.", ".5", "-", "+1", "1e", "1e999", "nul", "\"", "\"\\x\"", "\"\\ud800\"",
    "\"\\ud800\\u0041\"", "\"\u{1}\"", "[1,]", "{\"a\"}", "{\"a\":1,}", "{a:1}", "[1 2]",
    String(repeating: "[", count: 10_000),
  ])
  func whatIsNotJSONIsRefused(text: String) {
    let error = #expect(throws: VectorError.self) { try file(text) }
    guard case .json = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func mangledFilesAreReadOrRefused() throws {
    let bytes = Array(try #require(BuiltInVectors.files.last).bytes.prefix(3000))
    var random = Seeded(7)
    for _ in 0..<300 {
      var mangled = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
      for _ in 0..<3 {
        guard let index = mangled.indices.randomElement(using: &random) else { continue }
        mangled[index] = UInt8.random(in: 0...255, using: &random)
      }
      _ = try? VectorFile(mangled)
    }
  }
}
