import Diagnosis
import Foundation
import LunaTesting
import LunaUplink
import Testing
import UplinkProtocol

/// Files that checks are made of.
struct UplinkFilesTests {
  private static let recording = """
    [[{"c_s_pair":"010.000.002.015.48080-208.085.042.032.00080","timestamp":"0.5","payload":"474554",\
    "response_len":100,"response_hash":null}],[],\
    ["010.000.002.015.48080-208.085.042.032.00080"],"NAME-05132024"]
    """

  private let folder = TestFolder()

  @discardableResult
  private func file(_ name: String, _ text: String) throws -> String {
    let path = "\(folder.path)/\(name)"
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  @discardableResult
  private func recording(_ name: String) throws -> String {
    try file(
      "\(name)_05132024.pcap_client_all.json",
      Self.recording.replacing("NAME", with: name))
  }

  @Test func controlsLieBesideOrAreMade() async throws {
    let path = try recording("One")
    var replay = try #require(try await UplinkReplay.read([path]).first)
    #expect(replay.original.name.text == "One-05132024" && replay.seconds == 0.5)
    #expect(replay.control == replay.original.inverted && !replay.isPortTest)
    let volume = try #require(replay.volume)
    #expect(volume > 2 * 103)
    try recording("OneRandom")
    replay = try #require(try await UplinkReplay.read([path]).first)
    #expect(replay.control.name.text == "OneRandom-05132024")
    #expect(replay.control != replay.original.inverted)
  }

  /// It is in the list of profiles: what to do instead of naming it is said.
  @Test func whatStandsForRecordingsIsNone() async throws {
    let path = try recording("One")
    for paths in [["luna-recorded"], [path, "luna-recorded"]] {
      let error = await #expect(throws: UplinkError.self) { try await UplinkReplay.read(paths) }
      #expect(error?.kind == .profile)
      #expect(
        error?.diagnosis.description
          == "luna-recorded stands for any recording; name the file of one instead")
    }
  }

  /// Over UDP only the server knows what it sends: it may send what is left beside what goes to it.
  @Test func whatGoesOverUDPIsTakenFromWhatMayCome() async throws {
    let pair = "010.000.002.015.48080-208.085.042.032.00080"
    let payload = String(repeating: "00", count: 50_000)
    let text = """
      [[{"c_s_pair":"\(pair)","timestamp":0,"payload":"\(payload)","end":true}],["48080"],[],"Call-05132024"]
      """
    let path = try file("Call_05132024.pcap_client_all.json", text)
    let replay = try #require(try await UplinkReplay.read([path]).first)
    // Twice the bytes, 8 % of them for headers, a packet and what is said.
    let sent: Int64 = 2 * (50_000 + 4_000 + 140 + 40_000)
    #expect(replay.volume == nil && replay.least == sent + 2 * 65_536)
    #expect(replay.limit(in: sent + 900_000) == 400_000)
    #expect(replay.limit(in: sent - 1) == 0)
    // What comes over TCP is known.
    let other = try #require(try await UplinkReplay.read([try recording("One")]).first)
    #expect(other.least == other.volume && other.limit(in: 1_000_000) == nil)
  }

  @Test func appsOfListsCanBeChosen() async throws {
    try recording("One")
    try recording("Two")
    let list = try file(
      "app_list.json",
      #"{"apps":[{"name":"A","replayFile":"One_05132024"},{"name":"B","replayFile":"Two_05132024"}]}"#
    )
    #expect(try await UplinkReplay.read([list]).count == 2)
    let chosen = try await UplinkReplay.read([list], apps: ["B"])
    #expect(chosen.map(\.original.name.text) == ["Two-05132024"])
    await #expect(throws: UplinkError.self) {
      _ = try await UplinkReplay.read([list], apps: ["C"])
    }
    // An app of that name is in each of two lists.
    #expect(try await UplinkReplay.read([list, list], apps: ["B"]).count == 2)
  }

  private func kind(_ body: () async throws -> Void) async -> UplinkError.Kind? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? UplinkError)?.kind
    }
  }

  @Test func saysWhatIsWrong() async throws {
    let (bad, numbers) = (try file("bad.json", "{}"), try file("numbers.json", "[1,2.5]"))
    #expect(await kind { _ = try await ProfileFile.read(bad) } == .unreadable)
    #expect(await kind { _ = try await ProfileFile.read(bad + "x") } == .unreadable)
    #expect(await kind { _ = try await ReplayFile.read(bad) } == .unreadable)
    #expect(await kind { _ = try await UsualVariations.read(bad) } == .noVariations)
    #expect(await kind { _ = try await UplinkReplay.read(["luna-upload"]) } == .profile)
    #expect(await kind { _ = try await WeheDirectory.read(folder.path) } == .noRecordings)
    #expect(try await UsualVariations.read(numbers) == [1, 2.5])
  }

  @Test func samplesOfOneReplayAreAFileOfTheirOwn() async throws {
    let one = try file("one.json", "[[1,2],[1,2]]")
    let two = try file("two.json", #"{"original":[[1],[1]],"control":[[2],[2]]}"#)
    #expect(try await ReplayFile.readSide(one).rates == [1, 2])
    #expect(await kind { _ = try await ReplayFile.readSide(two) } == .unreadable)
  }

  @Test func whatWasWrittenCanBeServed() async throws {
    let path = try recording("One")
    guard case .recording(let client) = try await ProfileFile.read(path) else {
      Issue.record("no recording")
      return
    }
    let files = try #require(
      RecordingFiles(client, ServerRecording(filling: client), in: folder.path))
    try await files.write(replacing: true)
    #expect(files.paths.count == 5)
    let recordings = try await WeheDirectory.read(folder.path)
    let control = try #require(client.name.control)
    #expect(recordings.map(of: client.name) != nil && recordings.map(of: control) != nil)
  }
}
