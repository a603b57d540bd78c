import Diagnosis
import LunaJSON
import Testing
import UplinkProtocol

struct AppListTests {
  static let text = """
    {"apps":[{"name":"Pandora","size":"14","time":20,"icon":"pandora.png",\
    "replayFile":"Pandora_05132024.pcap_client_all.json",\
    "randomReplayFile":"PandoraRandom_05132024.pcap_client_all.json","appType":"MUSIC",\
    "frenchOnly":true},\
    {"name":" Port 80 ","image":"80","datafile":"port80small_10032018.pcap_client_all",\
    "category":"SMALL_PORT"},\
    {"name":"One","datafile":"One_10032018","randomdatafile":null}],\
    "port443small":"port443small_10032018.pcap_client_all.json"}
    """

  private static func read(_ text: String) throws(RecordingError) -> AppList {
    try AppList(Array(text.utf8))
  }

  @Test func readsBothSpellings() throws {
    let apps = try Self.read(Self.text).apps
    #expect(apps.map(\.name) == ["Pandora", "Port 80", "One"])
    #expect(apps[0].size == 14 && apps[0].seconds == 20 && apps[0].isFrenchOnly)
    #expect(apps[0].replay.text == "Pandora-05132024" && apps[0].icon == "pandora.png")
    #expect(apps[0].control?.text == "PandoraRandom-05132024" && apps[0].category == "MUSIC")
    #expect(apps[0].portTest == nil && !apps[1].isFrenchOnly)
    // A test of ports has the control of the list.
    #expect(apps[1].portTest == .small && apps[1].icon == "80" && apps[1].seconds == nil)
    #expect(apps[1].control?.text == "port443small-10032018")
    #expect(apps[2].control == nil && apps[2].size == nil && apps[2].category == nil)
  }

  @Test func writesWhatItReads() throws {
    let list = try Self.read(Self.text)
    #expect(try AppList(list.json.bytes) == list)
    let name = try #require(ReplayName("Luna-11252026"))
    let entry = AppEntry(
      name: "Luna", size: 0.5, seconds: 2, replay: name, control: name.control, category: "OTHER",
      icon: "luna")
    #expect(
      AppList([entry]).json.description
        == #"{"apps":[{"name":"Luna","size":0.5,"time":2.0,"icon":"luna","image":"luna","#
        + #""replayFile":"Luna_11252026.pcap_client_all.json","#
        + #""datafile":"Luna_11252026.pcap_client_all.json","#
        + #""randomReplayFile":"LunaRandom_11252026.pcap_client_all.json","#
        + #""randomdatafile":"LunaRandom_11252026.pcap_client_all.json","#
        + #""appType":"OTHER","category":"OTHER","frenchOnly":false}]}"#)
  }

  @Test(arguments: [
    ("app 1, name", "\"Pandora\"", "7"), ("app 1, name", "\"Pandora\"", "\" \""),
    ("app 1, name", "\"name\":\"Pandora\",", ""), ("app 1, size", "\"14\"", "\"-1\""),
    ("app 1, size", "\"14\"", "\"inf\""), ("app 1, time", ":20", ":601"),
    ("app 1, time", ":20", ":9999999999"), ("app 1, icon", "\"pandora.png\"", "[]"),
    ("app 1, replayFile", "Pandora_05132024", "../Pandora"),
    ("app 1, replayFile", "Pandora_05132024", "a;b"),
    ("app 1, replayFile", "Pandora_05132024", "a\\u0000b"),
    ("app 1, randomReplayFile", "PandoraRandom", "/etc/"), ("app 1, appType", "\"MUSIC\"", "1"),
    ("app 1, frenchOnly", "true", "\"no\""), ("app 2, datafile", "port80small", "a/b"),
    ("port443small", "port443small_", "../"),
    ("port443small", #""port443small":"#, #""other":"#),
    ("port443large", "SMALL_PORT", "LARGE_PORT"), ("apps", #""apps""#, #""a""#),
    ("app 3, replayFile", #""datafile":"One_10032018","#, ""),
  ])
  func saysWhatIsWrong(_ place: String, _ old: String, _ new: String) throws {
    let text = Self.text.replacing(old, with: new, maxReplacements: 1)
    #expect(text != Self.text)
    let error = #expect(throws: RecordingError.self) { try Self.read(text) }
    #expect(try #require(error).description.contains(place), "\(error.debugDescription)")
  }

  @Test func tellsListsAndRecordingsApart() throws {
    guard case .apps = try ProfileFile(Array(Self.text.utf8)) else {
      Issue.record("a list is none")
      return
    }
    let recording = RecordingTests.file([RecordingTests.tcp()])
    guard case .recording = try ProfileFile(Array(recording.utf8)) else {
      Issue.record("a recording is none")
      return
    }
    let error = #expect(throws: RecordingError.self) {
      try ProfileFile(Array(ServerRecordingTests.text.utf8))
    }
    #expect(error?.description.contains("that of a server") == true)
  }
}
