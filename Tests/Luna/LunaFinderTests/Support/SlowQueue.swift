import Bluetooth
import LunaCore
import LunaTesting
import Synchronization

/// A queue that, after the first upload, is slow to say how many wait.
final class SlowQueue: EventQueue {
  /// Whether somebody waits for that, and whether it may be said.
  let isAsked = Watched(false)
  let maySay = Watched(false)
  /// How often it was said.
  let answers = Watched(0)
  private let memory = InMemoryEventQueue()
  private let isSettled = Mutex(false)

  func append(_ events: [TrackerEvent], at time: Timestamp, isDoubtful: Bool) async {
    memory.append(events, at: time, isDoubtful: isDoubtful)
  }
  func next(_ limit: Int) async -> [QueuedEvent] { memory.next(limit) }
  func event(_ id: Int64) async -> QueuedEvent? { memory.event(id) }
  func note(_ crowd: CrowdStatus?) async {}
  func tend(at time: Timestamp) async -> [QueueNotice] { [] }
  func settle(_ settlement: UploadSettlement) async {
    memory.settle(settlement)
    isSettled.withLock { $0 = true }
  }
  func append(_ confirmation: CommandConfirmation, at time: Timestamp) async {}
  func nextConfirmation() async -> QueuedConfirmation? { nil }
  func settleConfirmation(_ id: Int64, refusal: String?) async {}
  func count(dropped reason: String, by number: Int, at time: Timestamp) async {}
  var waiting: Int {
    get async {
      let waiting = memory.waiting
      let isFirst =
        isSettled.withLock { $0 }
        && isAsked.withLock { isAsked in
          defer { isAsked = true }
          return !isAsked
        }
      if isFirst { try? await maySay.until { $0 } }
      answers.withLock { $0 += 1 }
      return waiting
    }
  }
  func status(at now: Timestamp) async -> QueueStatus { memory.status(at: now) }
  func close() async {}
}
