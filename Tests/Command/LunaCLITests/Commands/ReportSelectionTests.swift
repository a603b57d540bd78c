import LunaDocuments
import Testing

@testable import LunaCLI

struct ReportSelectionTests {
  @Test("The options of a scan that leave something out are named")
  func namesWhatLeavesOut() throws {
    let filter = try FilterParser.parse("zzz")
    #expect(ReportSelection().options.isEmpty)
    #expect(ReportSelection(filter: filter).options == ["--filter"])
    #expect(
      ReportSelection(minimumRSSI: -10, trackersOnly: true).options == ["--min-rssi", "--trackers"])
  }
}
