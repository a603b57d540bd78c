import LunaCore

/// The last changes of a home, with their numbers.
struct HomeJournal {
  private static let kept = 10_000

  /// The number of the last one. It begins with the time, so that those of another process are lower.
  private(set) var revision: Int64
  private var changes: [HomeChange] = []
  /// Where the oldest one is: the list is a ring.
  private var first = 0

  let listeners = Listeners<HomeChange>(keeping: 1024)

  init(revision: Int64 = 0) { self.revision = revision }

  /// Goes on with higher numbers.
  mutating func begin(at revision: Int64) { self.revision = max(self.revision, revision) }

  mutating func add(_ event: HomeChange.Event, at time: Int64) -> HomeChange {
    revision += 1
    let change = HomeChange(revision: revision, time: time, event: event)
    if changes.count < HomeJournal.kept {
      changes.append(change)
    } else {
      changes[first] = change
      first = (first + 1) % HomeJournal.kept
    }
    listeners.tell(change)
    return change
  }

  /// What came after a revision; nil when some of that is gone, or it is none of these.
  func changes(after last: Int64) -> [HomeChange]? {
    // Whoever listens may say any number.
    let (distance, overflows) = revision.subtractingReportingOverflow(last)
    guard !overflows, (0...Int64(changes.count)).contains(distance) else { return nil }
    let count = Int(distance)
    return (0..<count).map { changes[(first + changes.count - count + $0) % changes.count] }
  }
}
