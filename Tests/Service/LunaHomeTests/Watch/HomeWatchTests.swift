import Beacons
import Bluetooth
import LunaCore
import LunaJSON
import LunaWatch
import Testing

@testable import LunaHome

/// What a home makes of the watch: what is news, what stays, and what an owner says.
@Suite struct HomeWatchTests {
  private func member(_ json: JSONValue?, _ name: String) -> JSONValue? {
    if case .object(let object)? = json { object[name] } else { nil }
  }

  private func elements(_ json: JSONValue?) -> [JSONValue] {
    if case .array(let elements)? = json { elements } else { [] }
  }

  private let evening = WatchedDay.time(0, 1_439).microseconds

  /// What was kept of a watch, for the next process.
  private func next(after watch: inout HomeWatch) -> HomeWatch {
    var next = HomeWatch()
    next.restore(watch.takeChanges().compactMapValues { $0 })
    next.adopt(HomeConfiguration(HomeFile("{}")), [:])
    return next
  }

  @Test func tellsOfOneThatComesAlong() throws {
    var watch = WatchedDay.watch()
    let news = WatchedDay.live(0, &watch)
    #expect(news.map(\.grade) == [.notice, .suspect, .alarm])
    #expect(watch.suspects.map(\.id) == ["tile:000000000001"])
    let report = watch.report(at: evening)
    let suspect = try #require(elements(member(report, "suspects")).first)
    #expect(member(suspect, "grade") == "alarm")
    #expect(member(suspect, "trips") == 2)
    #expect(elements(member(suspect, "rides")).count == 2)
    #expect(member(suspect, "mark") == .null)
    #expect(elements(member(report, "cannotFind")).count == 3)
    #expect(member(member(report, "listened"), "trips") == 2)
  }

  @Test func whatIsKnownByKeysIsListedAndNotTold() throws {
    var watch = WatchedDay.watch()
    let news = WatchedDay.live(0, &watch, exclusion: .shared)
    #expect(news.isEmpty)
    let report = watch.report(at: evening)
    #expect(elements(member(report, "suspects")).isEmpty)
    let known = try #require(elements(member(report, "excluded")).first)
    #expect(member(known, "excluded") == "shared")
    #expect(elements(member(known, "rides")).count == 2)
    // Nobody has to say so.
    let marked = watch.mark("tile:000000000001", as: .known, by: "ada", at: evening)
    #expect(marked == nil)
  }

  @Test func aMarkHoldsAndSurvivesARestart() throws {
    var watch = WatchedDay.watch()
    WatchedDay.live(0, &watch)
    let unknown = watch.mark("tile:00000000000f", as: .mine, by: "ada", at: evening)
    #expect(unknown == nil)
    let known = watch.mark("tile:000000000001", as: .falseAlarm, by: "ada", at: evening)
    let marked = try #require(known)
    let mark: JSONValue = ["as": "falseAlarm", "by": "ada", "time": HomeTime.json(evening)]
    #expect(member(marked.json, "mark") == mark)
    var after = next(after: &watch)
    let news = WatchedDay.live(1, &after)
    #expect(news.isEmpty)
    let later = WatchedDay.time(1, 1_439).microseconds
    var report = after.report(at: later)
    #expect(elements(member(report, "suspects")).isEmpty)
    let excluded = elements(member(report, "excluded"))
    #expect(excluded.count == 1)
    #expect(member(excluded.first, "id") == .string(marked.id))
    // What was said can be taken back.
    let unmarked = after.mark(marked.id, as: nil, by: "ada", at: later)
    #expect(unmarked?.mark == nil)
    report = after.report(at: later)
    #expect(elements(member(report, "suspects")).count == 1)
    #expect(elements(member(report, "excluded")).isEmpty)
  }

  @Test func whatWasToldIsNoNewsAfterARestart() throws {
    var watch = WatchedDay.watch()
    WatchedDay.live(0, &watch)
    let kept = try #require(watch.suspects.first)
    var after = next(after: &watch)
    #expect(after.suspects.map(\.json) == [kept.json])
    // Notice and suspect say less than was said; of an alarm it is told again for a trip more.
    let news = WatchedDay.live(1, &after)
    #expect(!news.isEmpty && news.allSatisfy { $0.grade == .alarm })
    #expect(after.suspects.count == 1)
  }

  @Test func whatCameAlongBeforeARestartCounts() throws {
    var watch = WatchedDay.watch()
    var news = WatchedDay.live(0, &watch, WatchedDay.tile, 0..<720)
    #expect(news.map(\.grade) == [.notice, .suspect])
    let since = watch.since
    var after = next(after: &watch)
    #expect(after.since == since)
    // The way home is the second trip.
    news = WatchedDay.live(0, &after, WatchedDay.tile, 720..<1_440)
    #expect(news.map(\.grade) == [.alarm])
    let report = after.report(at: evening)
    #expect(member(member(report, "listened"), "trips") == 2)
    let suspect = try #require(elements(member(report, "suspects")).first)
    #expect(elements(member(suspect, "rides")).count == 2)
  }

  /// The first nights of a home have the rule that takes a known place, since the file names the places.
  @Test func thePlacesOfTheFileAreKnown() {
    func evening(_ text: String) -> [WatchGrade] {
      var watch = WatchedDay.watch(text)
      WatchedDay.live(0, &watch, WatchIdentifier(.tile, 2), 0..<720)
      return WatchedDay.live(0, &watch, WatchedDay.tile, 720..<1_440).map(\.grade)
    }
    func file(_ latitude: String) -> String {
      """
      {"places": [
        {"id": "home", "name": "Home", "latitude": \(latitude), "longitude": 0, "radius": 100}]}
      """
    }
    #expect(HomeFile(file("0")).problems.isEmpty)
    #expect(evening("{}") == [.notice, .suspect])
    #expect(evening(file("1")) == [.notice, .suspect])
    #expect(evening(file("0")) == [.notice, .suspect, .alarm])
  }

  @Test func aPlaceThatTheFileNamesNoMoreIsNotKnown() {
    let home =
      #"{"places": [{"id": "home", "latitude": 0, "longitude": 0, "radius": 100}]}"#
    var watch = WatchedDay.watch(home)
    WatchedDay.live(0, &watch, WatchIdentifier(.tile, 2), 0..<720)
    watch.adopt(HomeConfiguration(HomeFile("{}")), [:])
    let news = WatchedDay.live(0, &watch, WatchedDay.tile, 720..<1_440)
    #expect(news.map(\.grade) == [.notice, .suspect])
  }

  @Test func anOwnerWhoIsNearOnThreeDaysIsNewsOnce() throws {
    var watch = WatchedDay.watch()
    func live(_ day: Int) -> [HomeSuspect] {
      WatchedDay.live(day, &watch) { watch, time in
        watch.hear(
          WatchFrame(time: time, identifier: WatchedDay.tile, state: .nearOwner, rssi: -60))
      }
    }
    var news = (0..<2).flatMap(live)
    #expect(news.map(\.grade) == [.notice, .suspect])
    news = live(2)
    let told = try #require(news.first)
    #expect(news.count == 1 && told.grade == .suspect)
    #expect(elements(member(told.json, "reasons")).contains("threeDays"))
    watch = next(after: &watch)
    news = (3..<6).flatMap(live)
    #expect(news.isEmpty)
  }

  /// What an owner says of one that changes its identifier goes over to the next, and ends where nothing links them.
  @Test func aMarkHoldsForWhatIsLinked() throws {
    var watch = WatchedDay.watch()
    func identifier(_ minute: Int) -> WatchIdentifier {
      WatchIdentifier(.smartTag, UInt64((minute + 9) / 15))
    }
    func live(_ minutes: Range<Int>) -> [HomeSuspect] {
      WatchedDay.live(0, &watch, minutes) { watch, time in
        let minute = Int(time.microseconds / 60_000_000) - WatchedDay.monday / 60
        watch.listen(at: time)
        guard !(600..<630).contains(minute) else { return }
        watch.hear(
          WatchFrame(time: time, identifier: identifier(minute), state: .separated, rssi: -60))
      }
    }
    let before = live(0..<544)
    #expect(before.map(\.grade) == [.notice, .suspect])
    let id = try #require(watch.suspects.first?.id)
    let now = WatchedDay.time(0, 544).microseconds
    _ = watch.mark(id, as: .known, by: "ada", at: now)
    let meanwhile = live(544..<630)
    #expect(meanwhile.isEmpty && watch.suspects.count == 1)
    let marked = try #require(watch.suspects.first)
    #expect(marked.identifiers.contains(identifier(580)))
    #expect(watch.marks[identifier(580)] == .known)
    // The app says of such a one that it ends.
    #expect(member(marked.json, "changes") == true)
    let after = live(630..<1_440)
    #expect(after.map(\.grade) == [.notice, .suspect])
    #expect(after.allSatisfy { $0.mark == nil && $0.id == identifier(630).description })
    #expect(watch.suspects.count == 2 && watch.marks[identifier(640)] == nil)
  }

  @Test func nothingIsLearnedWhereItIsOff() {
    var watch = WatchedDay.watch()
    WatchedDay.live(0, &watch, WatchedDay.tile, 0..<720)
    watch.adopt(HomeConfiguration(HomeFile(#"{"watch": {"enabled": false}}"#)), [:])
    let changes = watch.takeChanges()
    let kept = changes.compactMapValues { $0 }
    #expect(changes.keys.contains("watch"))
    #expect(!kept.keys.contains("watch"))
  }

  @Test func watchesOnlySomeFamilies() {
    var watch = WatchedDay.watch(#"{"watch": {"families": ["luna", "smarttag"]}}"#)
    var news = WatchedDay.live(0, &watch)
    #expect(news.isEmpty)
    watch = WatchedDay.watch(#"{"watch": {"families": ["tile"], "sensitivity": "high"}}"#)
    news = WatchedDay.live(0, &watch)
    #expect(!news.isEmpty)
    watch = WatchedDay.watch(#"{"watch": {"enabled": false}}"#)
    news = WatchedDay.live(0, &watch)
    #expect(news.isEmpty)
    let report = watch.report(at: evening)
    #expect(member(report, "listened") == .null)
  }

  @Test func aFamilyThatIsNoneIsAnError() {
    #expect(HomeFile(#"{"watch": {"families": ["tiles"]}}"#).problems.count == 1)
  }

  @Test func aPlaceThatStaysIsSaidAgain() {
    var watch = WatchedDay.watch()
    watch.move(to: LocationFix(latitude: 0, longitude: 0), at: WatchedDay.time(0, 0))
    for minute in 0..<600 {
      watch.listen(at: WatchedDay.time(0, minute))
      watch.hear(
        WatchFrame(
          time: WatchedDay.time(0, minute), identifier: WatchedDay.tile, state: .unknown, rssi: -60)
      )
    }
    // A box that is known not to move tells of newcomers only.
    let news = watch.takeNews(at: WatchedDay.time(0, 600).microseconds)
    #expect(news.isEmpty)
  }

  @Test func goesOnWhenTheClockIsSetBack() {
    var watch = WatchedDay.watch()
    // Two days ahead, for a moment.
    watch.listen(at: WatchedDay.time(2, 0))
    let news = WatchedDay.live(0, &watch)
    #expect(news.map(\.grade) == [.notice, .suspect, .alarm])
  }

  /// Else nobody would be told of it again until then.
  @Test func whatWasToldWhileTheClockWasWrongIsToldAgain() {
    var watch = WatchedDay.watch()
    WatchedDay.live(0, &watch)
    for place in watch.suspects.indices {
      watch.suspects[place].told = WatchedDay.time(400, 0).microseconds
    }
    watch.nextRefresh = WatchedDay.time(400, 0).microseconds
    var after = next(after: &watch)
    let news = WatchedDay.live(1, &after)
    #expect(!news.isEmpty)
    _ = watch.takeNews(at: evening)
    #expect(watch.nextRefresh < WatchedDay.time(2, 0).microseconds)
  }

  @Test func forgetsWhatIsOld() {
    var watch = WatchedDay.watch()
    WatchedDay.live(0, &watch)
    var after = next(after: &watch)
    after.refresh(at: WatchedDay.time(89, 0).microseconds)
    #expect(after.suspects.count == 1)
    after.refresh(at: WatchedDay.time(92, 0).microseconds)
    #expect(after.suspects.isEmpty)
    let changes = after.takeChanges().filter { $0.key.hasPrefix("suspect/") }
    #expect(changes.count == 1 && changes.values.allSatisfy { $0 == nil })
  }
}
