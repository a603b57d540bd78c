import LunaJSON
import Testing

@testable import UplinkProtocol

/// What can be compared, for programs and for people.
struct SummaryTests {
  @Test func ofWhatIsBuiltIn() {
    let summary = BuiltInProfile.upload.summary
    #expect(summary["type"] == "profile" && summary["kind"] == "builtIn")
    #expect(summary["name"] == "luna-upload")
    #expect(summary["compared"] == "bytes acknowledged per second")
  }

  @Test func ofARecording() throws {
    let recording = try RecordingTests.read(RecordingTests.file([RecordingTests.tcp()]))
    let summary = recording.summary
    #expect(summary["kind"] == "recording" && summary["name"] == "Pandora-05132024")
    #expect(summary["transport"] == "tcp" && summary["connections"] == 1)
    #expect(summary["packets"] == 1 && summary["sentBytes"] == 4)
    #expect(summary["answeredBytes"] == 1_914_340 && summary["seconds"] == .real(0.5))
    #expect(
      recording.lines == [
        "Pandora-05132024", "1 packet over TCP in 0.5 s: 0 MB up, 1.914 MB down",
      ])
  }

  @Test func ofApps() throws {
    let apps = try AppList(Array(AppListTests.text.utf8)).apps
    #expect(apps.map { $0.summary["kind"] } == ["app", "ports", "app"])
    #expect(apps[0].summary["megabytes"] == .real(14) && apps[0].summary["seconds"] == .real(20))
    #expect(
      apps[0].row == ["Pandora", "Pandora-05132024", "PandoraRandom-05132024", "MUSIC", "14", "20"])
    #expect(apps[2].summary["control"] == nil && apps[2].summary["megabytes"] == nil)
    #expect(apps[2].row == ["One", "One-10032018", "all bits inverted", "", "", ""])
  }
}
