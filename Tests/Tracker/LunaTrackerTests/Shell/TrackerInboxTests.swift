import Testing

@testable import LunaTracker

@Suite("TrackerInbox", .timeLimit(.minutes(10)))
struct TrackerInboxTests {
  @Test("A time that is over before anybody waits for it ends the wait")
  func early() async {
    let inbox = TrackerInbox()
    let wait = inbox.begin()
    inbox.expire(wait)
    await inbox.end(wait)
  }
}
