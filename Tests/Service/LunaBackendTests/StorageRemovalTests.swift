import Bluetooth
import LunaFleet
import LunaJSON
import Testing

@testable import LunaBackend

/// How every storage removes gateways, and takes that and other changes back.
@Suite(.timeLimit(.minutes(10))) struct StorageRemovalTests {
  private static let now = Fleet.now

  @Test(arguments: StorageKind.available)
  func removesSoftlyAndBringsBack(kind: StorageKind) async throws {
    let fleet = try await Fleet(kind)
    let gateway = try await fleet.add("kitchen")
    let number = try await fleet.change { work throws(FleetFailure) in
      try work.remove(gateway.id)
    }
    #expect(try await fleet.store.standing(of: "kitchen") == .removed)
    #expect(try await refusal { _ = try await fleet.edit(gateway.id, ["note": "x"]) } == "notFound")
    // The name is free meanwhile; the record then cannot come back.
    let other = try await fleet.add("Kitchen")
    #expect(try await refusal { _ = try await fleet.undo(number) } == "nameTaken")
    _ = try await fleet.edit(other.id, ["name": "other"])
    _ = try await fleet.undo(number)
    #expect(try await fleet.store.standing(of: "kitchen") == .present)
    #expect(try await refusal { _ = try await fleet.undo(number) } == "alreadyUndone")
    #expect(try await refusal { _ = try await fleet.undo(999) } == "notFound")
  }

  @Test(arguments: StorageKind.available)
  func refusesToUndo(kind: StorageKind) async throws {
    let fleet = try await Fleet(kind)
    let id = try await fleet.add("one").id
    let first = try #require(try await fleet.edit(id, ["site": "a"]).2)
    let second = try #require(try await fleet.edit(id, ["site": "b"]).2)
    #expect(try await refusal { _ = try await fleet.undo(first) } == "changedSince")
    let late = Self.now.advanced(by: .seconds(31 * 86_400))
    #expect(try await refusal { _ = try await fleet.undo(second, at: late) } == "tooOld")
    _ = try await fleet.undo(second)
    #expect(try await fleet.gateway(id)?.text("site") == "a")
    // As that one says: first the one after it.
    _ = try await fleet.undo(first)
    #expect(try await fleet.gateway(id)?.text("site") == nil)
    // What belongs to accounts is never undone, even by the one whom it is about.
    try await fleet.change { work throws(FleetFailure) in
      try work.log(
        RecordChange(
          number: 1000, time: Self.now, actor: "ann", kind: "account", object: "ann",
          action: .edit, fields: [FieldChange(field: "role", before: "admin", after: "viewer")]))
    }
    #expect(try await refusal { _ = try await fleet.undo(1000) } == "notUndoable")
  }
}
