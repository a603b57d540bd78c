import Testing

@testable import LunaCLI

/// A configuration file in which one setting is changed.
struct ConfigurationTextTests {
  private func changed(_ text: String, _ change: (inout ConfigurationText) -> Void) -> String {
    var file = ConfigurationText(text)
    change(&file)
    return file.text
  }

  private func set(_ text: String) -> String {
    changed(text) { $0.set("budget", to: "50M", in: "uplink check") }
  }

  @Test func oneThatIsThereIsReplaced() {
    let text =
      "# mine\n[scan]\nbudget = 1\n\n[uplink  check]\nserver = a\n budget=2\n# budget = 3\n"
    #expect(
      set(text)
        == "# mine\n[scan]\nbudget = 1\n\n[uplink  check]\nserver = a\nbudget = 50M\n# budget = 3\n"
    )
  }

  @Test func oneThatIsNotThereIsAdded() {
    #expect(set("") == "[uplink check]\nbudget = 50M\n")
    #expect(set("[scan]\na = b") == "[scan]\na = b\n\n[uplink check]\nbudget = 50M\n")
    #expect(
      set("[uplink check]\nserver = a\n") == "[uplink check]\nbudget = 50M\nserver = a\n")
  }

  @Test func ofSeveralTheLastOneHolds() {
    let text = "[uplink check]\nbudget = 1\n[scan]\n[uplink check]\nbudget = 2\n"
    #expect(set(text) == "[uplink check]\nbudget = 1\n[scan]\n[uplink check]\nbudget = 50M\n")
  }

  @Test func allOfASectionIsTakenOut() {
    let text = "a = b\n[uplink check]\n# why\nbudget = 1\nserver = x\n[scan]\nbudget = 2\n"
    #expect(
      changed(text) { $0.clear("uplink check") }
        == "a = b\n[uplink check]\n# why\n[scan]\nbudget = 2\n")
    #expect(changed("", { $0.clear("uplink check") }) == "")
  }

  @Test func oneIsTakenOutWhereverItIsSet() {
    let text =
      "[uplink check]\nbudget = 1\nserver = x\n[scan]\nbudget = 2\n[uplink check]\nbudget = 3\n"
    #expect(
      changed(text) { $0.clear("uplink check", of: "budget") }
        == "[uplink check]\nserver = x\n[scan]\nbudget = 2\n[uplink check]\n")
    #expect(changed(text) { $0.clear("uplink check", of: "monthly") } == text)
  }

  @Test func linesThatEndOtherwiseAreLinesAndStaySo() {
    let text = "[uplink check]\r\nbudget = 1\r\n[scan]\r\nmin-rssi = 2\r\n"
    #expect(set(text) == "[uplink check]\r\nbudget = 50M\r\n[scan]\r\nmin-rssi = 2\r\n")
    #expect(
      changed(text) { $0.clear("uplink check") }
        == "[uplink check]\r\n[scan]\r\nmin-rssi = 2\r\n")
    #expect(set("[scan]\r\n") == "[scan]\r\n\r\n[uplink check]\r\nbudget = 50M\r\n")
  }
}
