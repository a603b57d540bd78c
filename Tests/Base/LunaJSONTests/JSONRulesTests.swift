import LunaJSON
import Testing

@Suite struct JSONRulesTests {
  private func kind(_ text: String, _ rules: JSONRules) -> JSONError.Kind? {
    do throws(JSONError) {
      _ = try JSONReader.read(Array(text.utf8), rules: rules)
      return nil
    } catch {
      return error.kind
    }
  }

  @Test(arguments: [
    #"{"a":1,"a":1}"#, #"{"a":1,"b":2,"\u0061":3}"#, #"[{"x":{"a":1,"a":2}}]"#, #"{"":1,"":1}"#,
    "{\"\u{E9}\":1,\"e\u{301}\":2}",
  ])
  func refusesANameThatIsThereTwice(text: String) {
    #expect(kind(text, .strict(elements: 10)) == .duplicateName)
    #expect(kind(text, .none) == nil)
  }

  @Test func refusesItAlsoInALargeObject() {
    let members = (0..<5000).map { "\"n\($0)\":0" }.joined(separator: ",")
    #expect(kind("{\(members)}", .strict(elements: 1)) == nil)
    for name in ["n0", "n17", "n4999"] {
      #expect(kind("{\(members),\"\(name)\":1}", .strict(elements: 1)) == .duplicateName)
    }
  }

  @Test func takesTheSameNameInDifferentObjects() {
    #expect(kind(#"[{"a":1},{"a":{"a":2}}]"#, .strict(elements: 2)) == nil)
  }

  @Test func countsElementsWhileItReads() {
    let rules = JSONRules.strict(elements: 3)
    #expect(kind("[1,2,3]", rules) == nil)
    // What follows is not looked at any more.
    #expect(kind("[1,2,3,4", rules) == .tooManyElements)
    #expect(kind(#"{"a":[[1,2],[1,2,3,!"#, rules) == .tooManyElements)
    #expect(kind("[1,2,3,]", JSONRules.strict(elements: 4)) == .malformed)
  }

  @Test func countsLevelsWhileItReads() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    var rules = JSONRules.strict(elements: 1)
    #expect(kind(nested(64), rules) == nil)
    #expect(kind(nested(65), rules) == .malformed)
    rules.depth = 16
    #expect(kind(nested(16), rules) == nil)
    #expect(kind(nested(17), rules) == .malformed)
    // A value in them is a level, too.
    rules.depth = 2
    #expect(kind("[[1]]", rules) == .malformed)
    #expect(kind("[[]]", rules) == nil)
  }
}
