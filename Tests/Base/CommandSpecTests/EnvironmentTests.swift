import Testing

@testable import CommandSpec

@Suite struct EnvironmentTests {
  private func listen(
    _ words: [String], config: String? = nil, _ environment: [String: String]
  ) throws -> ListenOptions? {
    guard
      case .scan(let options)? = try SampleProgram.run(
        words, config: config, environment: environment)
    else { return nil }
    return options.listen
  }

  @Test func aVariableStandsForItsOption() throws {
    let options = try #require(
      try listen(["scan"], ["LUNA_ADAPTER": "hci3", "LUNA_COUNT": "7", "OTHER": "x"]))
    #expect(options.adapters == ["hci3"] && options.count == 7)
  }

  @Test func theCommandLineWinsAndTheFileComesLast() throws {
    let file = "[scan]\ncount = 5\nadapter = hci5"
    let environment = ["LUNA_ADAPTER": "hci3", "LUNA_COUNT": "7"]
    let both = try #require(try listen(["scan", "-c", "2"], config: file, environment))
    #expect(both.count == 2 && both.adapters == ["hci3"])
    #expect(try listen(["scan"], config: file, [:])?.adapters == ["hci5"])
  }

  @Test func anEmptyVariableCountsAsNone() throws {
    #expect(try listen(["scan"], ["LUNA_COUNT": ""])?.count == nil)
  }

  @Test func anOptionThatExcludesItWins() throws {
    let options = try #require(try listen(["scan", "-T", "1s"], ["LUNA_COUNT": "7"]))
    #expect(options.duration == .seconds(1) && options.count == nil)
  }

  /// Beside a simulated room an adapter means nothing: who comes later says which of them there is.
  @Test func aValueThatExcludesItWins() throws {
    let file = "[scan]\nadapter = hci5"
    let room = try #require(try listen(["scan", "--radio", "virtual:7"], config: file, [:]))
    #expect(room.adapters.isEmpty && room.radio == "virtual:7")
    #expect(try listen(["scan", "--radio", "virtual"], ["LUNA_ADAPTER": "hci3"])?.adapters == [])
    #expect(try listen(["scan", "--radio", "mgmt"], config: file, [:])?.adapters == ["hci5"])
    let adapter = try #require(
      try listen(["scan", "-i", "hci0"], config: "radio = virtual\n" + file, [:]))
    #expect(adapter.adapters == ["hci0"] && adapter.radio == "auto")
  }

  @Test func anErrorNamesTheVariable() throws {
    let error = #expect(throws: UsageError.self) {
      _ = try SampleProgram.run(["scan"], environment: ["LUNA_COUNT": "many"])
    }
    #expect(error?.kind == .badValue)
    #expect(error?.description.contains("'many' for LUNA_COUNT") == true)
  }

  @Test func commandsWithoutTheOptionIgnoreIt() throws {
    #expect(
      try SampleProgram.run(["decode"], environment: ["LUNA_COUNT": "many"])
        == .decode(DecodeOptions()))
  }
}
