package import LunaJSON
import LunaWatch

// Trackers of others that stay with the box. They are for owners, and for nobody else.

extension LunaHome {
  /// What an owner may say of a tracker.
  package static let marks = HomeMark.words.map(\.rawValue)

  /// Tells what was found since the last time.
  func tellSuspects() {
    let news = watch.takeNews(at: now.wall)
    keepSuspects()
    tell(news)
  }

  /// Tells owners, and the rules where the file does not want it to be discreet: what a rule does, the messages that
  /// it sends, and that it ran, others can see.
  func tell(_ news: [HomeSuspect]) {
    for suspect in news { tell(.watch(suspect)) }
    guard !watch.setup.isDiscreet else { return }
    take(news.map { HomeInput.watch(grade: $0.grade.rawValue) })
  }

  /// Keeps what has changed of what was found.
  func keepSuspects() {
    let parts = watch.takeChanges()
    guard !parts.isEmpty else { return }
    pending.suspects.merge(parts) { _, new in new }
    markPending()
  }

  /// What was found and what is known, beside what was listened to and what cannot be found.
  package func suspects() -> JSONValue {
    let report = watch.report(at: now.wall)
    keepSuspects()
    return report
  }

  /// What is known of a tracker, with what speaks for its following somebody.
  ///
  /// - Throws: ``HomeError`` of kind `notFound`.
  package func suspect(_ id: String) throws(HomeError) -> HomeSuspect { try watch.known(id) }

  /// Notes what an owner says of a tracker: it holds for all that is linked to it.
  ///
  /// - Parameters:
  ///   - word: one of ``marks``; nil takes back what was said.
  ///   - who: the owner's name.
  /// - Throws: ``HomeError`` of kind `notFound`; of kind `action` for another word, and for one whose keys are here.
  package func mark(
    _ id: String, as word: String?, by who: String
  ) throws(HomeError) -> HomeSuspect {
    guard isRunning else { throw HomeError(.state, "the home does not run") }
    let marked = try watch.say(word, of: id, by: who, at: now.wall)
    keepSuspects()
    return marked
  }
}
