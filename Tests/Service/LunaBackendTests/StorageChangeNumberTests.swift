import Bluetooth
import LunaFleet
import LunaJSON
import Testing

@testable import LunaBackend

/// How every storage numbers the changes of the fleet.
@Suite(.timeLimit(.minutes(10))) struct StorageChangeNumberTests {
  private static let now = Fleet.now

  @Test(arguments: StorageKind.available)
  func numbersGoOnWhenAllHistoryIsTooOld(kind: StorageKind) async throws {
    let fleet = try await Fleet(kind)
    let id = try await fleet.add("one").id
    let number = try #require(try await fleet.edit(id, ["site": "a"]).2)
    let directory = FleetDirectory(fleet.store)
    #expect(try await directory.present().number == number)
    try await fleet.store.purge(at: Self.now.advanced(by: .seconds(500 * 86_400)))
    #expect(try await fleet.count("changes") == 1)
    #expect(try await fleet.edit(id, ["site": "b"]).2 == number + 1)
    #expect(try await directory.present().entries.map { $0.gateway.text("site") } == ["b"])
  }

  /// A standby that takes over may not have all changes: what it gives numbers to is seen all the same.
  @Test(arguments: StorageKind.available)
  func theDirectoryFollowsNumbersThatComeAgain(kind: StorageKind) async throws {
    let fleet = try await Fleet(kind)
    let id = try await fleet.add("one").id
    let lost = try await fleet.add("lost").id
    let directory = FleetDirectory(fleet.store)
    #expect(try await directory.present().entries.count == 2)
    try await fleet.change { work throws(FleetFailure) in
      try work.run("DELETE FROM luna.fleet WHERE id = $1", [.text(lost)])
      try work.run("DELETE FROM luna.changes WHERE object = $1", [.text(lost)])
    }
    #expect(try await directory.present().entries.map(\.gateway.name) == ["one"])
    // As many as were known before.
    let edit = try RecordEdit(.gateway, json: ["name": "two"])
    let later = Self.now.advanced(by: .seconds(1))
    _ = try await fleet.change(at: later) { work throws(FleetFailure) in
      try work.edit(id, edit).change
    }
    let (entries, number) = try await directory.present()
    #expect(entries.map(\.gateway.name) == ["two"] && number == 2)
    _ = try await fleet.change { work throws(FleetFailure) in
      try work.run("DELETE FROM luna.changes WHERE number = $1", [.integer(2)])
    }
    let other = try RecordEdit(.gateway, json: ["name": "three"])
    _ = try await fleet.change(at: later.advanced(by: .seconds(1))) { work throws(FleetFailure) in
      try work.edit(id, other).change
    }
    let (last, same) = try await directory.present()
    #expect(last.map(\.gateway.name) == ["three"] && same == 2)
  }

  @Test(arguments: StorageKind.available)
  func listsTheLastChanges(kind: StorageKind) async throws {
    let fleet = try await Fleet(kind)
    for name in ["a", "b", "c"] { _ = try await fleet.add(name) }
    func numbers(newest: Bool) async throws -> [Int64] {
      try await fleet.store.read(at: StorageChangeNumberTests.now) { work throws(FleetFailure) in
        try work.changes(where: "number > $1", [.integer(0)], newest: newest, limit: 2)
          .map(\.number)
      }
    }
    let (first, last) = (try await numbers(newest: false), try await numbers(newest: true))
    #expect(first.count == 2 && last.count == 2)
    #expect(first[1] == last[0] && first == first.sorted() && last == last.sorted())
  }
}
