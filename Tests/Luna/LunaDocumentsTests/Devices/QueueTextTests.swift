import Bluetooth
import LunaCore
import Testing

@testable import LunaDocuments

@Suite struct QueueTextTests {
  private let now = Timestamp(microseconds: 1_795_255_200_000_000)

  private func ago(_ seconds: Int64) -> Timestamp {
    Timestamp(microseconds: now.microseconds - seconds * 1_000_000)
  }

  @Test(arguments: [
    (0.0, "0 minutes"), (0.99, "59 minutes"), (1, "1 hour"), (47.9, "47 hours"), (48, "2 days"),
    (6451.5, "268 days"), (20_000, "2 years"), (.infinity, "1000000000 years"),
  ])
  func saysHowLongInAUnitThatAPersonCanImagine(_ hours: Double, _ text: String) {
    #expect(QueueText.span(hours) == text)
  }

  @Test func tellsWhatWasLostSinceWhenAndTheFlood() {
    var status = QueueStatus()
    status.losses = [
      DropReason.queueFull: LossCount(45, since: ago(7200), last: ago(60)), "old": LossCount(1),
    ]
    status.crowd = CrowdStatus(newPerMinute: 1234, since: ago(600), notedAt: ago(30))
    let rows = QueueText.rows(status, at: now, .data)
    #expect(
      rows.contains([
        "lost", "45 (the queue was full), since 2026-11-21T08:00:00.000000Z, last 60 s ago",
      ]))
    #expect(rows.contains(["lost", "1 (old)"]))
    #expect(
      rows.contains([
        "under attack",
        "1234 new identifiers a minute, since 2026-11-21T09:50:00.000000Z (10 min ago)",
      ]))
    let local = QueueText.rows(status, at: now, .clock(ClockText(GivenTimeTests.Berlin())))
    #expect(
      local.contains([
        "lost", "45 (the queue was full), since 2026-11-21 09:00:00 (Berlin), last 60 s ago",
      ]))
    // A finder that was killed does not take it back.
    status.crowd?.notedAt = ago(181)
    #expect(!QueueText.rows(status, at: now, .data).contains { $0[0] == "under attack" })
  }
}
