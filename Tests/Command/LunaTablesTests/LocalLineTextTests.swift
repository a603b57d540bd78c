import LunaDocuments
import Testing

@testable import LunaTables

/// What a terminal without a screen gets of one's own trackers.
@Suite struct LocalLineTextTests {
  @Test func aNarrowTerminalShowsTheName() {
    let clock = ClockText(UTCZone())
    #expect(LocalLineText(clock, width: 40).head == "TIME (UTC)    EVENT     RSSI  NAME")
    #expect(
      LocalLineText(clock, width: 80).head
        == "TIME (UTC)    EVENT     RSSI  ADDRESS            NAME")
    #expect(LocalLineText(clock, width: nil).head.hasSuffix("ADDRESS            NAME"))
  }
}
