import Testing
import UplinkProtocol

struct ReplayNameTests {
  @Test func namesFilesAndControl() throws {
    let name = try #require(ReplayName("Pandora-05132024"))
    #expect(name.name == "Pandora" && name.date == "05132024")
    #expect(name.clientFile == "Pandora_05132024.pcap_client_all.json")
    #expect(name.serverFile == "Pandora_05132024.pcap_server_all.json")
    #expect(name.control?.text == "PandoraRandom-05132024")
    let plain = try #require(ReplayName("port443small"))
    #expect(plain.date == nil && plain.clientFile == "port443small.pcap_client_all.json")
    #expect(plain.control?.text == "port443smallRandom")
  }

  @Test(arguments: [
    "Pandora_05132024.pcap_client_all.json", "Pandora_05132024.pcap_client_all",
    "Pandora-05132024", "Pandora_05132024.json",
  ])
  func readsFiles(_ file: String) {
    #expect(ReplayName(file: file)?.text == "Pandora-05132024")
  }

  @Test(arguments: [
    "", "../x", "a/b", "a;b", "a\0b", "a b", "a.b", "ä", "a\n", ".pcap_client_all.json",
    String(repeating: "a", count: 81), "../../etc/passwd.pcap_client_all.json",
  ])
  func refuses(_ name: String) {
    #expect(ReplayName(name) == nil)
    #expect(ReplayName(file: name) == nil)
  }

  @Test func countsDaysAsMonthDayYear() {
    #expect(ReplayName("Luna", year: 2026, month: 1, day: 2)?.text == "Luna-01022026")
    #expect(ReplayName("", year: 2026, month: 1, day: 2) == nil)
    #expect(ReplayName("a/b", year: 2026, month: 1, day: 2) == nil)
    #expect(ReplayName(String(repeating: "a", count: 72), year: 2026, month: 1, day: 2) == nil)
    #expect(ReplayName(String(repeating: "a", count: 71), year: 2026, month: 1, day: 2) != nil)
    // The control has a longer name.
    #expect(ReplayName(String(repeating: "a", count: 75))?.control == nil)
  }
}
