import Bluetooth
import Diagnosis
import LunaClient
package import LunaCore
package import LunaHome
import SQLite
import Synchronization

/// Sends what is in the outbox, beside the program: the shell around ``Outbox``.
///
/// What is handed over is marked on the disk right before, and what came of it right after: whoever ends
/// the program in between has it sent once more, never a third time.
package actor Notifier {
  /// How it goes.
  package enum News: Sendable, Equatable {
    /// Something was given up.
    case failed(reason: String)
    /// The disk takes nothing; what is sent goes on.
    case unrecorded(reason: String)
    /// It does again.
    case recorded
  }

  /// A third time could be one too many.
  static let interrupted =
    "the program was ended twice while it was handed over; it may have arrived"

  /// How often what was over long ago is forgotten, µs.
  private static let pruneInterval: Int64 = 86_400_000_000

  private let file: OutboxFile
  private let clock: WallClock
  private let report: @Sendable (News) -> Void
  private let bell = Bell()
  private var courier: any Courier
  private var outbox: Outbox
  /// The newest entry that was taken.
  private var newest: Int64 = 0
  /// What was put aside and waits again.
  private var again: Set<Int64> = []
  /// What is under way, by a number of its own.
  private var flights: [Int: Task<Void, Never>] = [:]
  private var lastFlight = 0
  /// What could not be written down yet.
  private var unsettled: [Settlement] = []
  private var isTroubled = false
  private var isStopped = false
  private var isRead = false
  /// When what was over long ago was forgotten last, µs since 1970.
  private var prunedAt: Int64?
  private var generator = SystemRandomNumberGenerator()

  package init(
    _ file: OutboxFile, _ settings: NotificationSettings, courier: any Courier,
    clock: WallClock = .system, report: @escaping @Sendable (News) -> Void
  ) {
    self.file = file
    self.courier = courier
    self.clock = clock
    self.report = report
    outbox = Outbox(settings)
  }

  /// How many wait.
  package var count: Int { outbox.count }

  /// There are new entries in the file.
  package nonisolated func wake() { bell.ring() }

  /// Goes on with another file of the home.
  package func use(_ settings: NotificationSettings, courier: any Courier) {
    outbox.settings = settings
    self.courier = courier
    bell.ring()
  }

  /// Sends until ``stop(within:)``, or until the task is cancelled: nothing waits in one that is.
  package func run() async {
    while !isStopped, !Task.isCancelled {
      await settleAgain()
      await take()
      // What begins now nobody waits for.
      guard !isStopped else { return }
      let now = clock.now().microseconds
      switch outbox.next(at: now) {
      case .send(let shipment): start(shipment, at: now)
      case .settle(let settlement):
        report(.failed(reason: settlement.reason))
        await settle(settlement)
      case .wait(let time): await bell.wait(for: .microseconds(pause(time - now)), by: clock)
      case .rest: await bell.wait(for: .microseconds(pause(.max)), by: clock)
      }
    }
  }

  /// Lets what is under way come to its end, for so long.
  package func stop(within limit: Duration) async {
    isStopped = true
    bell.ring()
    let flights = Array(flights.values)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for flight in flights { await flight.value } }
      group.addTask { [clock] in try? await clock.sleep(limit) }
      await group.next()
      group.cancelAll()
      for flight in flights { flight.cancel() }
    }
  }

  /// An hour at most; shorter while something is to be written down.
  private func pause(_ wanted: Int64) -> Int64 {
    min(max(wanted, 1000), unsettled.isEmpty ? 3_600_000_000 : 5_000_000)
  }

  private func take() async {
    let (after, again, time) = (newest, again, clock.now().microseconds)
    let isFirst = !isRead
    let isPruning = prunedAt.map { !(0..<Notifier.pruneInterval).contains(time - $0) } ?? true
    do throws(OutboxError) {
      let (rows, sent) = try await file.run { (database) throws(OutboxError) in
        if isPruning { try? OutboxTable.prune(at: time, in: database) }
        return (
          try OutboxTable.waiting(after: after, or: again, in: database),
          isFirst ? try OutboxTable.sent(since: time - Outbox.hour, in: database) : []
        )
      }
      isRead = true
      if isPruning { prunedAt = time }
      self.again.subtract(again)
      for row in sent { outbox.remember(row.entry, sentAt: row.ended ?? time) }
      for row in rows where !outbox.contains(row.entry) {
        newest = max(newest, row.entry.id)
        if row.entry.unsure > 1 {
          report(.failed(reason: Notifier.interrupted))
          await settle(
            Settlement(
              ids: [row.entry.id], state: .failed, reason: Notifier.interrupted,
              due: row.entry.due, at: time, isAttempt: false))
        } else {
          outbox.add(row.entry)
        }
      }
    } catch {
      complain(error)
    }
  }

  /// Takes an entry again that was put aside.
  package func retry(_ id: Int64) async throws(OutboxError) -> Bool {
    let time = clock.now().microseconds
    let isThere = try await file.run { (database) throws(OutboxError) in
      try OutboxTable.retry(id, at: time, in: database)
    }
    if isThere { again.insert(id) }
    bell.ring()
    return isThere
  }

  private func settle(_ settlement: Settlement) async {
    unsettled.append(settlement)
    await settleAgain()
  }

  private func settleAgain() async {
    guard !unsettled.isEmpty else { return }
    let waiting = unsettled
    unsettled = []
    do throws(OutboxError) {
      try await file.run { (database) throws(OutboxError) in
        try database.transaction { () throws(OutboxError) in
          for settlement in waiting { try OutboxTable.settle(settlement, in: database) }
        }
      }
      if isTroubled { report(.recorded) }
      isTroubled = false
    } catch {
      unsettled = waiting + unsettled
      complain(error)
    }
  }

  private func complain(_ error: OutboxError) {
    if !isTroubled { report(.unrecorded(reason: error.diagnosis.reason)) }
    isTroubled = true
  }

  private func start(_ shipment: Shipment, at now: Int64) {
    let courier = courier
    let (file, ids) = (file, shipment.ids)
    lastFlight += 1
    let number = lastFlight
    // Once, however many browsers and connections it takes: each time would count as an end of the program.
    let isMarked = Mutex(false)
    flights[number] = Task {
      let outcome = await courier.deliver(shipment, at: now) {
        let isFirst = isMarked.withLock { isMarked in
          defer { isMarked = true }
          return !isMarked
        }
        guard isFirst else { return }
        // On a full disk it is sent all the same.
        try? file.work { (database) throws(OutboxError) in
          try OutboxTable.markHandedOver(ids, in: database)
        }
      }
      await self.ended(shipment, outcome)
      self.forget(number)
    }
  }

  private func forget(_ number: Int) { flights[number] = nil }

  private func ended(_ shipment: Shipment, _ outcome: DeliveryOutcome) async {
    let settlement = outbox.ended(
      shipment, outcome, at: clock.now().microseconds, using: &generator)
    if case .refused(let reason) = outcome { report(.failed(reason: reason)) }
    await settle(settlement)
    bell.ring()
  }
}
