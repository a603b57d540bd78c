import Testing

@testable import CommandSpec

@Suite struct ConfigurationCheckTests {
  private func problems(_ text: String) -> [String] {
    var problems: [UsageError] = []
    let file = ConfigurationFile(text.utf8, name: "f", problems: &problems)
    return (problems + ConfigurationCheck(SampleProgram.root).problems(with: file))
      .map(\.description)
  }

  @Test func findsAllMistakesAtOnce() {
    let found = problems(
      """
      colour = never
      [scna]
      trackers = yes
      [scan]
      count = many
      trackers = perhaps
      this is nothing
      active = yes
      passive = yes
      [
      trackers = yes
      """)
    for (place, words) in [
      ("f:1:", "did you mean color?"), ("f:2:", "did you mean [scan]?"),
      ("f:5:", "'many' for count"), ("f:6:", "use yes or no"), ("f:7:", "write 'key = value'"),
      ("f:9:", "active and passive exclude each other"), ("f:10:", "write [COMMAND]"),
    ] {
      #expect(found.contains { $0.hasPrefix(place) && $0.contains(words) }, "\(place) \(words)")
    }
    #expect(found.count == 7)
  }

  @Test(arguments: [
    "", "[scan]\ntrackers = yes", "count = 5\n[scan]\ncount = 7",
    "[scan]\nactive = yes\npassive = no",
    "format = csv",
  ])
  func findsNothingInWhatIsRight(_ text: String) {
    #expect(problems(text) == [])
  }

  @Test func findsAnOptionThatMeansNothing() {
    #expect(
      problems("[scan]\nradio = virtual\nadapter = hci0")
        == ["f:3: adapter means nothing beside radio virtual; keep one of them"])
    #expect(problems("[scan]\nradio = mgmt\nadapter = hci0") == [])
  }

  @Test func looksAtVariablesToo() {
    let found = ConfigurationCheck(SampleProgram.root).problems {
      ["LUNA_COUNT": "many", "LUNA_ADAPTER": "hci0", "LUNA_OTHER": "x"][$0]
    }
    #expect(found.map(\.description).count == 1)
    #expect(found.first?.description.contains("'many' for LUNA_COUNT") == true)
  }
}
