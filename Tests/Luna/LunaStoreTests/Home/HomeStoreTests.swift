import Diagnosis
import Foundation
import Glibc
import LunaCore
import LunaJSON
import SQLite
import Testing

@testable import LunaStore

/// `home.sqlite`: what a home remembers.
@Suite struct HomeStoreTests {
  private let place: Workplace
  private let hour: Int64 = 3_600_000_000

  init() throws { place = try Workplace() }

  private func open() throws -> HomeStore { try HomeStore(in: place.state) }

  @Test func isOursAndForItsOwnerAlone() async throws {
    let store = try open()
    try await store.read { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      #expect(try database.connection.integer("PRAGMA application_id") == 0x4C75_6E48)
      #expect(try database.connection.integer("PRAGMA synchronous") == 2)
      let mode = try database.connection.prepare("PRAGMA journal_mode")
      #expect(try mode.step())
      #expect(mode.text(0) == "wal")
    }
    for name in ["", "-wal", "-shm"] {
      var status = stat()
      #expect(stat(store.path + name, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
    }
  }

  @Test func letsNoSecondHomeIn() throws {
    let store = try open()
    #expect { try open() } throws: { ($0 as? DeviceStoreError)?.kind == .busy }
    withExtendedLifetime(store) {}
  }

  @Test func keepsACommandAsItWas() async throws {
    let store = try open()
    let commands = ["20", nil].enumerated().map { number, value in
      HomeCommandRow(
        id: "c\(number)", tracker: "bag", action: "set:light", value: value, state: "begun",
        time: 1, changed: 2, detail: "near")
    }
    try await store.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      for command in commands { try database.save(command) }
    }
    try await store.read { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      for command in commands { #expect(try database.command(command.id) == command) }
      #expect(try database.command("c2") == nil)
    }
  }

  @Test func keepsThePartsOfAState() async throws {
    let store = try open()
    try await store.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.save(["rest": [1, 2], "rule/a": [3], "rule/b": [4]])
      try database.save(["rule/a": nil, "rule/b": [5]])
    }
    let parts = try await store.read {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in try database.parts()
    }
    #expect(parts == ["rest": [1, 2], "rule/b": [5]])
  }

  @Test func keepsNothingOfATransactionThatFails() async throws {
    let store = try open()
    await #expect(throws: DeviceStoreError.self) {
      try await store.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
        try database.save(["rest": [1]])
        try database.add([HomeRecord(.firing, rule: "r", firing: "r-1", time: 1, json: true)])
        try database.connection.execute("nonsense")
      }
    }
    let (parts, records) = try await store.read {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      (
        try database.parts(),
        try database.records(of: nil, kinds: [.firing], until: .max, limit: 10)
      )
    }
    #expect(parts.isEmpty)
    #expect(records.isEmpty)
  }

  private func cutLog(of store: HomeStore) {
    var status = stat()
    let log = store.path + "-wal"
    #expect(stat(log, &status) == 0 && status.st_size > 0)
    #expect(truncate(log, status.st_size / 2) == 0)
    // The clock of files is too coarse for a test in a hurry.
    let later = [timespec(), timespec(tv_sec: time(nil) + 2, tv_nsec: 0)]
    #expect(utimensat(AT_FDCWD, log, later, 0) == 0)
  }

  private func keep(_ parts: [String: [UInt8]?], in store: HomeStore) async throws {
    try await store.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.save(parts)
    }
  }

  /// Nothing is kept that the next home would not find, and that one does not leave it out without a word.
  @Test func aLogThatIsCutIsNotWritten() async throws {
    let store = try open()
    for number in UInt8(1)...20 { try await keep(["rest": [number]], in: store) }
    cutLog(of: store)
    for _ in 1...2 {
      #expect(await storeError { try await keep(["rest": [99]], in: store) }?.kind == .damaged)
    }
    await store.close()
    let errors = [
      await storeError { _ = try open() },
      await storeError { _ = try await HomeStore.beside(in: place.state) },
      await storeError { _ = try await HomeStore.reading(in: place.state) },
    ]
    for error in errors {
      #expect(error?.kind == .damaged)
      #expect(error?.reason.contains("home.sqlite-wal") == true)
    }
  }

  /// Whoever moves a whole one into its place need not end anything, and nobody makes an empty one meanwhile.
  @Test func goesOnWithAFileThatIsPutInItsPlace() async throws {
    let (home, beside) = (try open(), try await HomeStore.beside(in: place.state))
    try await keep(["rest": [1]], in: home)
    // A backup, as one is made: of both, while nobody writes.
    for end in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: home.path + end, toPath: home.path + ".copy" + end)
    }
    try await keep(["rest": [2]], in: home)
    for end in ["", "-wal", "-shm"] {
      #expect(rename(home.path + end, home.path + ".old" + end) == 0)
    }
    for _ in 1...2 {
      #expect(await storeError { try await keep(["rest": [3]], in: home) }?.kind == .gone)
      #expect(access(home.path, F_OK) != 0)
    }
    for end in ["-wal", ""] { #expect(rename(home.path + ".copy" + end, home.path + end) == 0) }
    try await keep(["rule/a": [4]], in: home)
    // The other one is told of it, or sees it with its next attempt.
    _ = await storeError { try await keep(["rule/a": [4]], in: beside) }
    for store in [home, beside] {
      let parts = try await store.read {
        (database: borrowing HomeDatabase) throws(DeviceStoreError) in try database.parts()
      }
      #expect(parts == ["rest": [1], "rule/a": [4]])
    }
    await home.close()
    #expect(await storeError { try await keep(["rest": [5]], in: home) }?.kind == .failed)
  }

  /// Those who have it open at the same time are no danger to each other.
  @Test func writesBesideAnother() async throws {
    let (home, beside) = (try open(), try await HomeStore.beside(in: place.state))
    for number in UInt8(1)...40 {
      try await keep(["rest": [number]], in: home)
      try await keep(["rule/a": [number]], in: beside)
      if number.isMultiple(of: 10) { await home.shrink() }
    }
    let parts = try await home.read {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in try database.parts()
    }
    #expect(parts == ["rest": [40], "rule/a": [40]])
  }

  @Test func keepsTheLastThousandOfWhatDidNotRunForEachRule() async throws {
    let store = try open()
    let counts = try await store.transaction {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.add(
        (1...1500).map { HomeRecord(.held, rule: "r", time: Int64($0), json: .integer(Int64($0))) })
      try database.add((1...3).map { HomeRecord(.missed, rule: "q", time: Int64($0), json: true) })
      try database.add([HomeRecord(.firing, rule: "r", firing: "r-1", time: 1, json: true)])
      // Once more is not twice.
      try database.add([HomeRecord(.firing, rule: "r", firing: "r-1", time: 2, json: false)])
      let held = try database.records(of: "r", kinds: [.held], until: .max, limit: 5000)
      let others = try database.records(of: "q", kinds: [.missed], until: .max, limit: 5000)
      let firings = try database.records(of: "r", kinds: [.firing], until: .max, limit: 5000)
      return (held.map(\.time), others.count, firings.map(\.json))
    }
    let newest: [Int64] = (501...1500).reversed()
    #expect(counts.0 == newest)
    #expect(counts.1 == 3)
    #expect(counts.2 == [true])
  }

  @Test func dropsWhatIsOld() async throws {
    let store = try open()
    let now = 100 * 24 * hour
    let left = try await store.transaction {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      for (number, age) in [89, 91].enumerated() {
        let time = now - Int64(age) * 24 * 3_600_000_000
        try database.add([
          HomeRecord(.firing, rule: "r", firing: "r-\(number)", time: time, json: true)
        ])
        try database.save([
          HomeOutcome(
            firing: "r-\(number)", action: 0, part: 0, name: "buzz", state: .done, time: time)
        ])
      }
      try database.add(inputs: [
        (now - 7 * 24 * 3_600_000_000, "a"), (now - 9 * 24 * 3_600_000_000, "b"),
      ])
      try database.dropOld(at: now)
      return (
        try database.records(of: "r", kinds: [.firing], until: .max, limit: 10).map(\.firing),
        try database.outcomes(of: "r-1").count,
        try database.inputs(from: 0, to: now, after: 0, limit: 10).map(\.line)
      )
    }
    #expect(left.0 == ["r-0"])
    #expect(left.1 == 0)
    #expect(left.2 == ["a"])
  }

  @Test func knowsWhatNobodyKnowsTheEndOf() async throws {
    let store = try open()
    let begun = try await store.transaction {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      var outcome = HomeOutcome(
        firing: "r-1", action: 0, part: 0, name: "exec", state: .begun, time: 1, request: "{}")
      try database.save([outcome])
      try database.save([
        HomeOutcome(firing: "r-1", action: 1, part: 0, name: "publish", state: .begun, time: 2)
      ])
      outcome.state = .failed
      outcome.detail = "no such program"
      try database.save([outcome])
      #expect(try database.outcomes(of: "r-1").first == outcome)
      return try database.begunOutcomes()
    }
    #expect(begun.map(\.name) == ["publish"])
  }

  @Test func givesValuesAsTheyWere() async throws {
    let store = try open()
    let values: [JSONValue] = [1, .real(2.5), "text", true, ["a": [1, 2]]]
    let found = try await store.transaction {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      for (number, value) in values.enumerated() {
        try database.add(HomePoint(time: Int64(number), value: value), of: "p", of: "t")
      }
      return try database.history(of: "p", of: "t", from: 0, to: 100, limit: 10, bucket: nil)
    }
    #expect(found.map(\.value) == values)
  }

  @Test func putsTogetherByTheHour() async throws {
    let store = try open()
    let hour = hour
    let (points, bucketed, track) = try await store.transaction {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      // Six values an hour for four hours: 0, 1, 2, ...
      for number in 0..<24 {
        let time = Int64(number) * 600_000_000
        try database.add(
          HomePoint(time: time, value: .integer(Int64(number))), of: "number", of: "t")
        _ = try database.add(
          HomeTrackPoint(
            time: time, latitude: Double(number), longitude: 0, accuracy: 10, source: "report",
            report: 1), of: "t")
      }
      try database.thin("t", before: 2 * hour + 1)
      return (
        try database.history(of: "number", of: "t", from: 0, to: .max, limit: 100, bucket: nil),
        try database.history(
          of: "number", of: "t", from: 0, to: .max, limit: 100, bucket: 2 * hour),
        try database.track(of: "t", from: 0, to: .max, limit: 100)
      )
    }
    #expect(points.prefix(3).map(\.value) == [.real(2.5), .real(8.5), 12])
    #expect(points.prefix(3).map(\.time) == [0, hour, 2 * hour])
    #expect(points.count == 2 + 12)
    #expect(bucketed.map(\.value) == [.real(5.5), .real(17.5)])
    let latitudes = [5, 11] + (12..<24).map { Double($0) }
    #expect(track.map(\.latitude) == latitudes)
  }

  /// Else a change would be shown at a time at which there was none.
  @Test func aWordKeepsItsTimeWhereValuesArePutTogether() async throws {
    let store = try open()
    let found = try await store.transaction {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      let said: [(time: Int64, value: JSONValue)] = [(10, "on"), (70, "off"), (130, "on")]
      for (time, value) in said {
        try database.add(HomePoint(time: time, value: value), of: "p", of: "t")
      }
      return try database.history(of: "p", of: "t", from: 0, to: 1000, limit: 10, bucket: 100)
    }
    #expect(found.map(\.time) == [70, 130])
    #expect(found.map(\.value) == ["off", "on"])
  }

  @Test func keepsAReportOnce() async throws {
    let store = try open()
    let point = HomeTrackPoint(
      time: 5, latitude: 52.123_456_7, longitude: -13.1, accuracy: 12.5, source: "report",
      report: -7)
    let (news, track) = try await store.transaction {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      let news = [try database.add(point, of: "t"), try database.add(point, of: "t")]
      return (news, try database.track(of: "t", from: 0, to: 10, limit: 10))
    }
    #expect(news == [true, false])
    #expect(track == [point])
  }

  @Test func makesRoomFromTheOldest() async throws {
    let store = try open()
    let hour = hour
    let (limit, reached, after, rest) = try await store.transaction {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      // What tables take without a row has nothing to do with it.
      let empty = try database.size()
      for number in 0..<(72 * 360) {
        try database.add(
          HomePoint(time: Int64(number) * 10_000_000, value: .integer(Int64(number))), of: "p",
          of: "t")
      }
      let limit = empty + (try database.size() - empty) * 3 / 4
      let reached = try database.makeRoom(within: limit)
      let rest = try database.history(
        of: "p", of: "t", from: 48 * hour, to: .max, limit: 100_000, bucket: nil)
      return (limit, reached, try database.size(), rest.count)
    }
    #expect(reached == 24 * hour)
    #expect(after <= limit)
    // The newest day is as it was.
    #expect(rest == 24 * 360)
  }

  /// Else it would go on for ever, or not at all.
  @Test func roomIsNotMadeOfWhatCannotBePutTogether() async throws {
    let store = try open()
    let (orphan, late) = try await store.transaction {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      // Of a series that is not there.
      try database.connection.execute("INSERT INTO points VALUES(77, 5, 1)")
      let orphan = try database.makeRoom(within: 0)
      try database.connection.execute("DELETE FROM points")
      try database.add(HomePoint(time: .max, value: .integer(1)), of: "p", of: "t")
      return (orphan, try database.makeRoom(within: 0))
    }
    #expect(orphan == 24 * hour)
    #expect(late == nil)
  }

  @Test func aValueTakesLittleRoom() async throws {
    let store = try open()
    let (bytes, plan) = try await store.transaction {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      let before = try database.size()
      for number in 0..<20_000 {
        try database.add(
          HomePoint(
            time: 1_800_000_000_000_000 + Int64(number) * 864_000,
            value: .integer(Int64(number % 90))),
          of: "rssi", of: "tracker")
      }
      let plan = try database.connection.prepare(
        "EXPLAIN QUERY PLAN SELECT time, value FROM points WHERE series = 1 AND time >= 2 AND time < 3 ORDER BY time"
      )
      var steps: [String] = []
      while try plan.step() { steps.append(plan.text(3)) }
      return (try database.size() - before, steps)
    }
    // HOME.md 14: 8 MiB for 100,000.
    #expect(bytes <= 8 * 1024 * 1024 / 5)
    // A day is found among years without reading these.
    #expect(plan.count == 1)
    #expect(plan.first?.contains("USING PRIMARY KEY (series=? AND time>? AND time<?)") == true)
  }

  @Test func tellsAReaderOfAnotherProcessWhatThereIs() async throws {
    #expect(try await HomeStore.reading(in: place.state) == nil)
    let store = try open()
    try await store.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.add([HomeRecord(.held, rule: "r", time: 1, json: true)])
    }
    let reader = try #require(try await HomeStore.reading(in: place.state))
    let count = try await reader.read {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.records(of: "r", kinds: [.held], until: .max, limit: 10).count
    }
    #expect(count == 1)
  }
}
