import Testing

@testable import UplinkProtocol

/// Results in sentences.
struct ResultTextTests {
  @Test func saysWhatACheckByPairsHasSeen() {
    let text = ResultText(
      #"{"profile":"luna-upload","server":"https://a","verdict":"throttled","ratio":0.5,"low":0.4,"#
        + #""high":0.612,"power":{},"detectable":1.25,"rateSeen":12,"simulated":true}"#)
    #expect(text.verdict == "throttled" && text.subject == "luna-upload to https://a")
    #expect(
      text.lines == [
        "Simulated: this says nothing of a network.",
        "Throttled: luna-upload to https://a runs at 0.5 (0.4 to 0.61) of other traffic's speed.",
        "A slowdown of 1.25 would have been seen, a limit above 12 Mbit/s not.",
      ])
  }

  @Test func saysWhereADifferenceIsMade() {
    let text = ResultText(#"{"profile":"x","verdict":"blocked","located":"common"}"#)
    #expect(
      text.lines == [
        "Blocked: x does not come through, and other traffic does.",
        "Where: in what the paths to both servers share.",
      ])
  }

  @Test func saysWhatWasRecognised() {
    let text = ResultText(
      #"{"profile":"x","matched":"bytes","probes":1,"certainty":0.9996,"#
        + #""fields":[{"field":"sni","matched":true}],"#
        + #""spans":[{"packet":1,"left":3,"right":5,"text":"ab","hex":"6162"}]}"#)
    #expect(
      text.lines == [
        "Found: what the network recognises of x.", "By the field sni.",
        "Packet 1, bytes 3-4: \"ab\" (6162).",
        "1 probe: all of it is true with 100.0 % at least.",
      ])
  }

  @Test func withoutProbesNothingIsCertain() {
    let text = ResultText(
      #"{"profile":"x","reason":"tooClose","spans":[],"probes":0,"certainty":1.0}"#)
    #expect(
      text.lines == [
        "Nothing is known of what the network recognises (tooClose).", "0 probes.",
      ])
  }

  @Test(arguments: ["", "[]", "{", "7"])
  func saysLittleOfWhatCannotBeRead(document: String) {
    let text = ResultText(document)
    #expect(text.verdict == "none" && text.subject.isEmpty)
    #expect(text.lines == ["No verdict: one side alone."])
  }

  @Test func keepsToALine() {
    let text = ResultText(#"{"profile":"a\nb","verdict":"fair"}"#)
    #expect(text.lines.count == 1 && !text.lines[0].contains("\n"))
  }
}
