import LunaFinder
import Testing

@Suite struct FinderLogTests {
  @Test func saysOnceWhatBecameOfTheQueue() {
    let reason = "/q was deleted or moved while it was in use"
    #expect(
      FinderLog.line(.queueRenewed(reason: reason, lost: 0, setAside: nil)).text
        == reason + ": the queue has a new file, with all that the old one held")
    #expect(
      FinderLog.line(.queueRenewed(reason: "/q is damaged", lost: nil, setAside: "/q.damaged-1"))
        .text
        == "/q is damaged: the queue has a new file, with what could be read of the old one; how much more "
        + "it held is not known; the file that was there is /q.damaged-1")
  }

  /// What was lost is called what it was.
  @Test(arguments: [
    ("queue", "2 reports lost: too much was heard at once"),
    ("untimed", "2 sightings lost: it has no time that can be"),
    ("queueFull", "2 events lost: the queue was full"),
  ])
  func namesWhatWasLost(reason: String, text: String) {
    #expect(FinderLog.line(.dropped(reason: reason, count: 2)).text == text)
  }
}
