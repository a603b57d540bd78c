import Bluetooth
import LunaCore
import SQLite

/// What a queue knows to be lost and has not yet written, as the disk was full, or as it waits for what is written
/// next: a crowd can lose thousands a second.
struct QueueLosses {
  private var counts: [String: LossCount] = [:]
  /// When losses were written that came without an event.
  private var lastWrite: ContinuousClock.Instant?

  var isEmpty: Bool { counts.isEmpty }

  mutating func count(_ number: Int, _ reason: String, at time: Timestamp) {
    counts[reason, default: LossCount(0)].add(number, at: time)
  }

  /// Counts what damage was found to have taken: when it went, nobody knows.
  mutating func count(undated number: Int, _ reason: String) {
    counts[reason, default: LossCount(0)].add(number)
  }

  /// Gives that the first time that is told afterwards.
  mutating func date(_ time: Timestamp) {
    for (reason, loss) in counts where loss.since == nil { counts[reason]?.add(0, at: time) }
  }

  /// Whether losses without an event are to be written now: once a second at most.
  mutating func isTurn(_ now: ContinuousClock.Instant = .now) -> Bool {
    if let lastWrite, now - lastWrite < .seconds(1) { return false }
    lastWrite = now
    return true
  }

  func write(to database: borrowing Database) throws(DeviceStoreError) {
    for (reason, loss) in counts { try QueueLosses.add(loss, to: reason, in: database) }
  }

  /// All of it is on the disk.
  mutating func written() { counts = [:] }

  static func add(
    _ loss: LossCount, to reason: String, in database: borrowing Database
  ) throws(DeviceStoreError) {
    let statement = try database.prepare(
      """
      INSERT INTO dropped VALUES(?1, ?2, ?3, ?4) ON CONFLICT(reason) DO UPDATE SET
      count = iif(count > \(Int64.max) - ?2, \(Int64.max), count + ?2),
      since = coalesce(since, ?3), last = coalesce(?4, last)
      """)
    statement.bind(1, reason)
    statement.bind(2, Int64(loss.count))
    statement.bind(3, loss.since?.microseconds)
    statement.bind(4, loss.last?.microseconds)
    try statement.run()
  }

  /// What was written.
  static func read(
    from database: borrowing Database
  ) throws(DeviceStoreError) -> [String: LossCount] {
    var losses: [String: LossCount] = [:]
    let reasons = try database.prepare("SELECT reason, count, since, last FROM dropped")
    while try reasons.step() {
      losses[reasons.text(0)] = LossCount(
        Int(clamping: reasons.integer(1)),
        since: reasons.optionalInteger(2).map { Timestamp(microseconds: $0) },
        last: reasons.optionalInteger(3).map { Timestamp(microseconds: $0) })
    }
    return losses
  }

  /// Adds to what was written what was not.
  func tell(in status: inout QueueStatus) {
    for (reason, loss) in counts {
      var known = status.losses[reason] ?? LossCount(0)
      known.add(loss.count)
      known.since = known.since ?? loss.since
      known.last = loss.last ?? known.last
      status.losses[reason] = known
      status.unwritten[reason] = loss.count
    }
  }
}
