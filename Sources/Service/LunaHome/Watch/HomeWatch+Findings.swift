import LunaJSON
import LunaWatch

// What was found, and what an owner says of it.

extension HomeWatch {
  private static let hour: Int64 = 3_600_000_000
  private static let day = 24 * hour
  /// So many are kept.
  static let most = 500
  /// What the parts of the database begin with that they are kept in.
  private static let prefix = "suspect/"
  /// The part of what was learned.
  private static let learned = "watch"

  /// What was found since it was last asked, as far as it is news: for what a process before this one has told, too.
  mutating func takeNews(at now: Int64) -> [HomeSuspect] {
    if HomeWatch.isDue(nextRefresh, at: now) { refresh(at: now) }
    guard engine?.hasFindings == true, let findings = engine?.takeFindings() else { return [] }
    return findings.compactMap { take($0, at: now) }
  }

  /// Whether something that is done within each hour is to be done: a longer wait began while the clock was wrong.
  private static func isDue(_ time: Int64, at now: Int64) -> Bool {
    now >= time || time > now + hour
  }

  private mutating func take(_ finding: WatchFinding, at now: Int64) -> HomeSuspect? {
    guard var suspect = HomeSuspect(finding) else { return nil }
    let place =
      suspects.firstIndex { $0.isSame(as: finding) }
      ?? suspects.firstIndex { $0.id == suspect.id }
    var isNews = true
    if let place {
      suspect = suspects[place]
      // What was told at a time to come was told while the clock was wrong.
      let pause = finding.grade == .possible ? 7 * HomeWatch.day : 8 * HomeWatch.hour
      isNews =
        suspect.mark == nil
        && (finding.grade > suspect.grade
          || finding.grade == suspect.grade && abs(now - suspect.told) >= pause)
      suspect.take(finding)
    }
    if isNews { suspect.told = now }
    keep(suspect, at: place)
    isLearned = true
    return isNews ? suspect : nil
  }

  private mutating func keep(_ suspect: HomeSuspect, at place: Int?) {
    if let place { suspects[place] = suspect } else { suspects.append(suspect) }
    changed.insert(suspect.id)
    while suspects.count > HomeWatch.most {
      // What an owner has said stays; of the rest, what speaks least goes, and what is oldest.
      let least = suspects.indices.min {
        HomeWatch.weighs(suspects[$0], lessThan: suspects[$1])
      }
      guard let least else { break }
      remove(least)
    }
  }

  private static func weighs(_ one: HomeSuspect, lessThan other: HomeSuspect) -> Bool {
    if (one.mark == nil) != (other.mark == nil) { return one.mark == nil }
    if one.grade != other.grade { return one.grade < other.grade }
    return one.found < other.found
  }

  private mutating func remove(_ place: Int) {
    let gone = suspects.remove(at: place)
    changed.insert(gone.id)
    for identifier in gone.identifiers { marks[identifier] = nil }
  }

  /// Looks at what was linked since: what was said of a tracker holds for its next identifier. What is too old is
  /// forgotten, but for what an owner has said.
  mutating func refresh(at now: Int64) {
    nextRefresh = now + HomeWatch.hour / 6
    if HomeWatch.isDue(nextLearning, at: now) {
      nextLearning = now + HomeWatch.hour
      isLearned = true
    }
    for place in suspects.indices.reversed() {
      let suspect = suspects[place]
      let age = now - suspect.found
      if suspect.mark == nil, age > (suspect.grade == .notice ? 14 : 90) * HomeWatch.day {
        remove(place)
        continue
      }
      guard suspect.grade != .possible, let last = suspect.identifiers.last,
        let finding = engine?.finding(of: last)
      else { continue }
      let new = suspects[place].add(finding.identifiers)
      guard !new.isEmpty else { continue }
      changed.insert(suspect.id)
      if let mark = suspect.mark { for identifier in new { marks[identifier] = mark.word } }
    }
  }

  /// What is known of a tracker, by its id or another identifier; nil where it was on no trip and nothing was found.
  func suspect(_ id: String) -> HomeSuspect? {
    if let found = suspects.first(where: { $0.id == id }) { return found }
    guard let identifier = WatchIdentifier(id), let finding = engine?.finding(of: identifier),
      finding.exclusion != nil || !finding.rides.isEmpty, var suspect = HomeSuspect(finding)
    else { return nil }
    suspect.tracker = tracker(of: suspect)
    return suspect
  }

  /// What is known of a tracker.
  ///
  /// - Throws: ``HomeError`` of kind `notFound`.
  func known(_ id: String) throws(HomeError) -> HomeSuspect {
    guard let known = suspect(id) else {
      throw HomeError(.notFound, "nothing is known of such a tracker")
    }
    return known
  }

  /// Which of one's own trackers it is.
  func tracker(of suspect: HomeSuspect) -> String? {
    suspect.identifiers.lazy.compactMap { names[$0] }.first
  }

  /// Notes what an owner says of a tracker and all that is linked to it; nil for nothing.
  ///
  /// - Returns: what is known of it now; nil where nothing is.
  mutating func mark(
    _ id: String, as word: WatchExclusion?, by who: String, at now: Int64
  ) -> HomeSuspect? {
    guard var suspect = suspect(id), suspect.exclusion == nil else { return nil }
    suspect.mark = word.map { HomeMark(word: $0, who: who, time: now) }
    // What the engine has linked since is meant as well.
    if suspect.grade != .possible, let last = suspect.identifiers.last,
      let finding = engine?.finding(of: last)
    {
      suspect.add(finding.identifiers)
    }
    for identifier in suspect.identifiers {
      marks[identifier] = word
      engine?.mark(identifier, as: word)
    }
    keep(suspect, at: suspects.firstIndex { $0.id == suspect.id })
    return suspect
  }

  /// Notes what an owner says in one of the words of ``HomeMark/words``; nil takes back what was said.
  ///
  /// - Throws: ``HomeError`` of kind `notFound`; of kind `action` for another word, and for one whose keys are here.
  mutating func say(
    _ word: String?, of id: String, by who: String, at now: Int64
  ) throws(HomeError) -> HomeSuspect {
    guard try known(id).exclusion == nil else {
      throw HomeError(.action, "its keys are here: it is known without being marked")
    }
    let exclusion = HomeMark.words.first { $0.rawValue == word }
    guard word == nil || exclusion != nil,
      let marked = mark(id, as: exclusion, by: who, at: now)
    else { throw HomeError(.action, "a tracker cannot be marked so") }
    return marked
  }

  /// Notes what a tracker has told of itself.
  mutating func note(_ identity: JSONValue, of id: String) {
    guard var suspect = suspect(id) else { return }
    suspect.identity = identity
    keep(suspect, at: suspects.firstIndex { $0.id == suspect.id })
  }

  /// Tells an engine that goes on from what was learned what an owner has said since: while no home ran.
  mutating func remark() {
    for suspect in suspects where suspect.exclusion == nil && suspect.grade != .possible {
      if let mark = suspect.mark {
        for identifier in suspect.identifiers { engine?.mark(identifier, as: mark.word) }
      } else if let last = suspect.identifiers.last,
        let said = engine?.finding(of: last)?.exclusion, HomeMark.words.contains(said)
      {
        for identifier in suspect.identifiers { engine?.mark(identifier, as: nil) }
      }
    }
  }

  /// Goes on with what a process before this one has kept.
  mutating func restore(_ parts: [String: [UInt8]]) {
    suspects = parts.keys.sorted().compactMap { name in
      guard name.hasPrefix(HomeWatch.prefix) else { return nil }
      return parts[name].flatMap { HomeSuspect(kept: $0) }
    }
    memory = parts[HomeWatch.learned].flatMap { bytes in
      try? StateDecoder.read(HomeWatchMemory.self, JSONReader.read(bytes))
    }
    changed = []
    marks = [:]
    for suspect in suspects {
      guard let mark = suspect.mark else { continue }
      for identifier in suspect.identifiers { marks[identifier] = mark.word }
    }
  }

  /// What has changed since it was last asked, as parts of the database; nil for what is gone.
  mutating func takeChanges() -> [String: [UInt8]?] {
    var parts: [String: [UInt8]?] = [:]
    for id in changed {
      let suspect = suspects.first { $0.id == id }
      parts.updateValue(suspect?.json.bytes, forKey: HomeWatch.prefix + id)
    }
    changed = []
    if isLearned {
      isLearned = false
      let memory = engine.map { HomeWatchMemory(since: since, engine: $0.remembered()) }
      parts.updateValue(memory.flatMap { HomeState.bytes($0) }, forKey: HomeWatch.learned)
    }
    return parts
  }
}
