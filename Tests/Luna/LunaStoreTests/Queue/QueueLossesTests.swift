import Bluetooth
import LunaCore
import Testing

@testable import LunaStore

/// What a queue knows to be lost before it can write it.
struct QueueLossesTests {
  private let early = Timestamp(microseconds: 1)
  private let late = Timestamp(microseconds: 2)

  private func told(_ losses: QueueLosses, _ known: LossCount? = nil) -> QueueStatus {
    var status = QueueStatus()
    status.losses[DropReason.storage] = known
    losses.tell(in: &status)
    return status
  }

  @Test func whatDamageTookHasTheNextTime() {
    var losses = QueueLosses()
    #expect(losses.isEmpty)
    losses.count(undated: 3, DropReason.storage)
    #expect(told(losses).losses == [DropReason.storage: LossCount(3)])
    losses.date(early)
    losses.date(late)
    #expect(told(losses).losses == [DropReason.storage: LossCount(3, since: early, last: early)])
  }

  @Test func isAddedToWhatIsWritten() {
    var losses = QueueLosses()
    losses.count(2, DropReason.storage, at: late)
    let status = told(losses, LossCount(5, since: early, last: early))
    #expect(status.losses == [DropReason.storage: LossCount(7, since: early, last: late)])
    #expect(status.unwritten == [DropReason.storage: 2])
    losses.written()
    #expect(losses.isEmpty && told(losses).losses.isEmpty)
  }

  @Test func isWrittenOnceASecond() {
    var losses = QueueLosses()
    let now = ContinuousClock.now
    let turns = [0, 999, 1000].map { losses.isTurn(now.advanced(by: .milliseconds($0))) }
    #expect(turns == [true, false, true])
  }
}
