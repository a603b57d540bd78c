import Testing

@testable import LunaTracker

@Suite("What trackers have done, for who asks by a signal")
struct TrackerTallyTests {
  private func tally(_ events: (String, TrackerNews.Event)...) -> String {
    var tally = TrackerTally()
    for (tracker, event) in events {
      tally.take(TrackerNews(tracker: tracker, time: 0, clock: 0, event: event))
    }
    return tally.text
  }

  @Test("Nothing yet")
  func nothing() {
    #expect(tally() == "0 periods, 0 connections (0 open), 0 sounds, 0 lights")
  }

  @Test("What begins is counted, and of connections which are open")
  func counts() {
    let text = tally(
      ("keys", .connected(nil)), ("bag", .connected(nil)), ("keys", .sound(seconds: 5)),
      ("keys", .sound(seconds: nil)), ("keys", .light(seconds: 2)), ("keys", .disconnected),
      ("keys", .connectable(true)))
    #expect(text == "0 periods, 2 connections (1 open), 1 sound, 1 light")
  }
}
