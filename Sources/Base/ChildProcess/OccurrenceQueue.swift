/// What happened and was not told yet, bounded whatever the commands do. A value: of each subject the
/// latest waits, and of many subjects the latest ones.
struct OccurrenceQueue: Sendable {
  /// How many wait at most.
  let limit: Int
  private var waiting: [EventCommand.Occurrence] = []
  /// How many will not be told, since something newer took their place.
  private(set) var replaced = 0

  init(limit: Int) { self.limit = max(1, limit) }

  var isEmpty: Bool { waiting.isEmpty }

  /// Takes what happened.
  ///
  /// - Returns: whether there was room for it, or another subject is forgotten for it.
  mutating func add(_ occurrence: EventCommand.Occurrence) -> Bool {
    if let place = waiting.firstIndex(where: { $0.subject == occurrence.subject }) {
      waiting[place] = occurrence
      replaced += 1
      return true
    }
    waiting.append(occurrence)
    guard waiting.count > limit else { return true }
    waiting.removeFirst()
    replaced += 1
    return false
  }

  /// The first whose subject is not among these; it waits no more.
  mutating func next(besides busy: some Collection<String>) -> EventCommand.Occurrence? {
    guard let place = waiting.firstIndex(where: { !busy.contains($0.subject) }) else { return nil }
    return waiting.remove(at: place)
  }

  /// Forgets what waits.
  mutating func removeAll() {
    replaced += waiting.count
    waiting = []
  }
}
