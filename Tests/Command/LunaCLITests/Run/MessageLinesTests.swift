import Testing

@testable import LunaCLI

@Suite struct MessageLinesTests {
  @Test func endLinesBetweenWords() {
    let text = "luna: nobody has answered by the end of -T; nothing was changed"
    #expect(
      MessageLines.lines(text, width: 40) == [
        "luna: nobody has answered by the end of", "-T; nothing was changed",
      ])
    #expect(MessageLines.lines(text, width: 80) == [text])
    #expect(MessageLines.lines("", width: 40) == [""])
  }

  /// Whoever copies it gets all of it.
  @Test(arguments: [
    ("see https://www.openstreetmap.org/?mlat=52.5186&mlon=13.3763 for it", 1),
    ("tell who waits there: luna owner commands tells whether it is called off", 1),
    ("the text is what luna uplink consent --accept agrees to, and nothing else is", 1),
    ("say where it stands with --location static:LAT,LON, or give --code-file FILE a try", 2),
    ("it is in the log of the service (luna home account token list), if anywhere", 1),
  ])
  func keepsLinksAndCommandsWhole(text: String, count: Int) {
    let whole = [
      "https://www.openstreetmap.org/?mlat=52.5186&mlon=13.3763", "luna owner commands",
      "luna uplink consent --accept", "--code-file FILE", "--location static:LAT,LON",
      "(luna home account token list),",
    ].filter { text.contains($0) }
    #expect(whole.count == count)
    for width in 20...80 {
      let lines = MessageLines.lines(text, width: width)
      for piece in whole {
        #expect(lines.contains { $0.contains(piece) }, "\(piece), \(width): \(lines)")
      }
      #expect(lines.joined(separator: " ") == text)
    }
  }

  /// A sentence goes on behind a command; its words are none of it.
  @Test func breaksBehindCommands() {
    #expect(
      MessageLines.lines("so luna doctor, scan and the others say what they saw", width: 20) == [
        "so luna doctor, scan", "and the others say", "what they saw",
      ])
  }

  @Test func keepsBlanksWhereItBreaksNothing() {
    #expect(MessageLines.lines("  a   b", width: 40) == ["  a   b"])
    #expect(
      MessageLines.lines("Continue anyway? [y/N] ", width: 20) == [
        "Continue anyway?", "[y/N] ",
      ])
  }
}
