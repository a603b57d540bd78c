import Bluetooth
import LunaCore
import Testing

@testable import LunaFinder

struct TallyTests {
  @Test func countsWhatAFinderHasDoneAndLost() {
    var tally = FinderTally()
    let error = BackendError(.unreachable, "gone")
    for update: FinderUpdate in [
      .uploadFailed(error, retryIn: .seconds(1)), .dropped(reason: "full", count: 3),
      .dropped(reason: "age", count: 2), .dropped(reason: "full", count: 1), .unlocated("dark"),
    ] { tally.take(update) }
    #expect(tally.failures == 1)
    #expect(tally.dropped == ["full": 4, "age": 2])
    #expect(tally.lost == 6)
    #expect(tally.found == 0 && tally.uploaded == 0)
    #expect(tally.waiting == nil)
  }

  @Test(arguments: [
    (RecoveryStep.Outcome.done, 1), (.failed, 1), (.waiting, 0), (.recovered, 0), (.quiet, 0),
  ])
  func stepsAreCountedThatWereTaken(_ outcome: RecoveryStep.Outcome, _ count: Int) {
    var tally = FinderTally()
    let step = RecoveryStep(
      adapter: "hci0", kind: .power, outcome: outcome, reason: "silent", attempt: 1)
    tally.take(.recovery(step))
    #expect(tally.recoverySteps == count)
    var refused = step
    refused.isRefused = true
    tally.take(.recovery(refused))
    #expect(tally.recoverySteps == count)
  }

  @Test func uploadsAreCountedByWhatBecameOfThem() {
    var tally = FinderTally()
    for waiting in [7, 2] {
      var summary = UploadSummary()
      summary.accepted = 5
      summary.duplicates = 2
      summary.refused = ["a": 1, "b": 2]
      summary.waiting = waiting
      tally.take(.uploaded(summary))
    }
    #expect(tally.accepted == 10 && tally.duplicates == 4 && tally.uploaded == 14)
    #expect(tally.refused == 6)
    #expect(tally.waiting == 2)
  }
}
