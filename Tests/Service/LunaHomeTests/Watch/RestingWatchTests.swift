import Bluetooth
import LunaCore
import LunaJSON
import LunaStore
import LunaTesting
import LunaWatch
import Testing

@testable import LunaHome

/// The watch of a home that does not run: it is looked at and marked all the same.
@Suite(.timeLimit(.minutes(10))) struct RestingWatchTests {
  private let folder = TestFolder()
  private let evening = WatchedDay.time(0, 1_439).microseconds

  /// What a home has kept that lived through a day with a tracker.
  ///
  /// - Parameter exclusion: whose keys were there.
  private func kept(_ exclusion: WatchExclusion? = nil) async throws -> HomeStore {
    var watch = WatchedDay.watch()
    WatchedDay.live(0, &watch, exclusion: exclusion)
    let parts = watch.takeChanges()
    let store = try await HomeStore.open(in: StateDirectory(path: folder.path))
    try await store.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.save(parts)
    }
    return store
  }

  /// The home that runs next.
  private func next(_ store: HomeStore) async throws -> HomeWatch {
    let parts = try await store.read {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.parts()
    }
    var watch = HomeWatch()
    watch.restore(parts)
    watch.adopt(HomeConfiguration(HomeFile("{}")), [:])
    return watch
  }

  private func member(_ json: JSONValue?, _ name: String) -> JSONValue? {
    if case .object(let object)? = json { object[name] } else { nil }
  }

  private func count(_ json: JSONValue, _ name: String) -> Int? {
    if case .array(let elements)? = member(json, name) { elements.count } else { nil }
  }

  /// Why something cannot be marked; nil where it can.
  private func refusal(
    _ watch: inout RestingWatch, _ id: String, _ word: String
  ) async -> HomeError.Kind? {
    do {
      _ = try await watch.mark(id, as: word, by: "ada", at: evening)
      return nil
    } catch {
      return (error as? HomeError)?.kind
    }
  }

  @Test func saysWhatWasFoundAndListenedTo() async throws {
    var watch = try await RestingWatch(try await kept())
    let report = watch.report(at: evening)
    #expect(count(report, "suspects") == 1)
    #expect(count(report, "excluded") == 0)
    #expect(member(member(report, "listened"), "trips") == 2)
    #expect(member(report, "since") == HomeTime.json(WatchedDay.time(0, 0).microseconds))
    let one = try watch.suspect("tile:000000000001")
    #expect(member(one, "grade") == "alarm")
  }

  @Test func aMarkHoldsForTheHomeThatRunsNext() async throws {
    let store = try await kept()
    var watch = try await RestingWatch(store)
    let marked = try await watch.mark("tile:000000000001", as: "known", by: "ada", at: evening)
    #expect(member(member(marked, "mark"), "by") == "ada")
    var home = try await next(store)
    // Its engine judges it no more, from what it has learned before on.
    #expect(home.engine?.finding(of: WatchedDay.tile)?.exclusion == .known)
    let silent = WatchedDay.live(1, &home)
    #expect(silent.isEmpty)
    // What it has learned with the mark does not outlast that this is taken back.
    let parts = home.takeChanges()
    try await store.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.save(parts)
    }
    watch = try await RestingWatch(store)
    let later = WatchedDay.time(1, 1_439).microseconds
    _ = try await watch.mark("tile:000000000001", as: nil, by: "ada", at: later)
    home = try await next(store)
    #expect(home.engine?.finding(of: WatchedDay.tile)?.exclusion == nil)
  }

  @Test func refusesWhatARunningHomeRefuses() async throws {
    var watch = try await RestingWatch(try await kept(.shared))
    let nobody = await refusal(&watch, "tile:2", "known")
    #expect(nobody == .notFound)
    let known = await refusal(&watch, "tile:000000000001", "known")
    #expect(known == .action)
  }

  @Test func nothingIsKeptOfAnotherWord() async throws {
    let store = try await kept()
    var watch = try await RestingWatch(store)
    let other = await refusal(&watch, "tile:000000000001", "own")
    #expect(other == .action)
    #expect(try await next(store).suspects.first?.mark == nil)
  }
  /// Who wants to know does not have to know whether a home runs.
  @Test func aDoorLeadsToWhatWasKept() async throws {
    let door = HomeWatchDoor(
      in: StateDirectory(path: folder.path),
      now: { [evening] in Timestamp(microseconds: evening) })
    #expect(try await door.report() == nil)
    #expect(try await door.mark("tile:000000000001", as: "known", by: "ada") == nil)
    try await kept().close()
    let report = JSONValue.object(try #require(try await door.report()))
    #expect(count(report, "suspects") == 1)
    let marked = try #require(
      try await door.mark("tile:000000000001", as: "known", by: "ada"))
    #expect(member(marked["mark"], "by") == "ada")
  }
}
