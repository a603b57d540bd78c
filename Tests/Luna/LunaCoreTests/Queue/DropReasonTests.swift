import Bluetooth
import LunaCore
import Testing

/// The words for what is lost are those of CLI.md, wherever it is lost.
@Suite struct DropReasonTests {
  private static let words = [
    "kernel", "queue", "overrun", "unfinished", "checksum", "damaged", "untimed", "clock",
    "noLocation", "crowd", "sealing", "queueFull", "storage", "updates", "webhook",
  ]

  @Test func areTheOnesThatAreWritten() {
    #expect(
      [
        DropReason.kernel, DropReason.queue, DropReason.overrun, DropReason.unfinished,
        DropReason.checksum, DropReason.damaged, DropReason.untimed, DropReason.clock,
        DropReason.noLocation, DropReason.crowd, DropReason.sealing, DropReason.queueFull,
        DropReason.storage, DropReason.updates, DropReason.webhook,
      ] == Self.words)
  }

  /// What a source calls it is what is told.
  @Test func areThoseOfASource() {
    #expect(SourceCounters().losses.map(\.reason) == Array(Self.words.prefix(6)))
  }

  @Test(arguments: words) func haveAMeaning(word: String) {
    #expect(DropReason.sentence(word) != word)
  }

  /// A webhook may be quick, and refuse what it is told.
  @Test func blameNobodyForBeingSlowWhoMayRefuse() {
    #expect(DropReason.sentence(DropReason.webhook) == "the webhook did not take it")
  }

  @Test func countWhatTheyAreAbout() {
    #expect(
      Self.words.map(DropReason.noun)
        == Array(repeating: "report", count: 6) + Array(repeating: "sighting", count: 5)
        + ["event", "event", "update", "event"])
  }
}
