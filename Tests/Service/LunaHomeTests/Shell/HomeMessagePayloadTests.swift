import LunaJSON
import Testing

@testable import LunaHome

/// What a rule publishes.
@Suite struct HomeMessagePayloadTests {
  /// The payload that goes out; the rule was started by a property that became `value`.
  private func payload(_ text: String, _ value: PropertyValue?) -> JSONValue? {
    var cause = HomeCause(trigger: "property", input: 1, tracker: "t", detail: "")
    cause.value = value
    let request = HomeActionRequest(
      firing: "r-1", rule: "r", level: "info", cause: cause, index: 0,
      wall: 1_780_000_000_000_000, name: "publish",
      parameters: ["topic": "a", "payload": .string(text), "retain": true], trackers: [],
      recipients: [], delivery: .now, fix: nil)
    let file = HomeFile(#"{"server":{"publicUrl":"https://home.example"}}"#)
    let filled = HomeMessage(request: request, rule: "Rule", tracker: "K\"1\"\n", place: nil)
      .filled(by: HomeConfiguration(file).notifications)
    guard case .object(let parameters) = filled.parameters, parameters["topic"] == "a",
      parameters["retain"] == true
    else { return nil }
    return parameters["payload"]
  }

  @Test func namesAreFilledIn() {
    #expect(payload("ON", nil) == "ON")
    #expect(payload("{{value}} {{ rule.name }}", .number(21.5)) == "21.5 Rule")
    #expect(payload("{{time}} {{link}}", nil) == "2026-05-28 20:26 https://home.example")
    #expect(payload("[{{place.name}}{{value}}]", nil) == "[]")
  }

  /// Who reads it as JSON finds two braces there.
  @Test func bracesOfOthersStay() {
    let text = #"{"t":"\u007b{ value_json.t }}","n":"{{rule.name}}"}"#
    #expect(payload(text, nil) == .string(#"{"t":"\u007b{ value_json.t }}","n":"Rule"}"#))
  }

  /// Names of others break neither a line nor JSON.
  @Test func namesAreEncoded() {
    #expect(payload(#"{"who":"{{tracker.name}}"}"#, nil) == .string(#"{"who":"K\"1\"\n"}"#))
    #expect(payload("{{value}}", .text("a\nb")) == #"a\nb"#)
  }
}
