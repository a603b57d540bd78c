import LunaCore
import LunaJSON
import LunaStore
import Testing

@testable import LunaHome

/// What of the state of a home is written, and what is removed.
@Suite(.timeLimit(.minutes(10))) struct HomeKeeperTests {
  private func parts(of bench: ShellBench) async throws -> [String: [UInt8]] {
    let store = try await HomeStore.reading(in: StateDirectory(path: bench.path))
    return try await store?.read { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.parts()
    } ?? [:]
  }

  @Test func whatIsOfNothingAnyMoreIsRemoved() {
    var keeper = HomeKeeper(["tracker/gone", "rule/gone", "tracker/t", "watch", "suspect/x"])
    var state = HomeState()
    state.trackers["t"] = TrackerState()
    let parts = keeper.changes(of: state)
    #expect(Set(parts.keys) == ["tracker/gone", "rule/gone", "tracker/t"])
    #expect(Set(parts.filter { $0.value == nil }.keys) == ["tracker/gone", "rule/gone"])
    let again = keeper.changes(of: state)
    #expect(again.isEmpty)
    // It was not written: all of it is tried again.
    keeper.forget()
    let other = keeper.changes(of: state)
    #expect(Set(other.keys) == Set(parts.keys))
  }

  /// Else the rules would begin anew at every start.
  @Test func aPartThatCannotBeReadIsGoneAfterwards() async throws {
    let bench = try ShellBench("{}")
    let store = try await HomeStore.open(in: StateDirectory(path: bench.path))
    try await store.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.save(["tracker/gone": [0xFF]])
    }
    await store.close()
    try await bench.home.start()
    await bench.home.stop()
    #expect(try await parts(of: bench)["tracker/gone"] == nil)
  }

  /// Where it was last is part of what it was.
  @Test func whatIsForgottenOfATrackerIsInNoPart() async throws {
    let bench = try ShellBench(#"{"trackers": [{"id": "t"}]}"#)
    try await bench.home.start()
    let time = await bench.home.now.wall
    await bench.home.take([
      .fix(
        tracker: "t",
        Fix(latitude: 52.5, longitude: 13.4, accuracy: 20, time: time, report: "box-1"))
    ])
    #expect(await bench.home.engine?.state.trackers["t"]?.fix != nil)
    try await bench.home.forgetHistory(of: "t")
    #expect(await bench.home.engine?.state.trackers["t"] == nil)
    await bench.home.stop()
    #expect(try await parts(of: bench)["tracker/t"] == nil)
    let store = try #require(
      try await HomeStore.reading(in: StateDirectory(path: bench.path)))
    let track = try await store.read {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.track(of: "t", from: .min, to: .max, limit: 10)
    }
    #expect(track.isEmpty)
  }

  /// The oldest day of three is put together, and a person is told from when on all of it is there.
  @Test func roomThatWasMadeIsTold() async throws {
    let day: Int64 = 86_400_000_000
    let before = try ShellBench("{}")
    let begin = (await before.home.now.wall / day - 3) * day
    let store = try await HomeStore.open(in: StateDirectory(path: before.path))
    let largest = try await store.transaction {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      let empty = try database.size()
      for number in 0..<Int64(72 * 360) {
        try database.add(
          HomePoint(time: begin + number * 10_000_000, value: .integer(number)), of: "p", of: "t")
      }
      return empty + (try database.size() - empty) * 5 / 6
    }
    await store.close()
    let bench = try ShellBench("{}", in: before, largest: largest)
    let changes = await bench.home.changes()
    try await bench.home.start()
    var told: HomeNotice?
    for await change in changes {
      guard case .notices(let all) = change.event else { continue }
      told = all.first { $0.kind == .thinned }
      if told != nil { break }
    }
    let text = HomeTime.text(begin + day)
    #expect(
      told?.text
        == "there is no more room: of what is older than \(text) a value an hour is kept")
    #expect(await bench.home.snapshot().notices.contains { $0.kind == .thinned })
    let rest = try await bench.home.history(
      of: "p", of: "t", from: begin, to: begin + day, limit: 5000)
    #expect(rest.count == 24)
    await bench.home.stop()
  }
}
