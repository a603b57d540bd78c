import Bluetooth
import LunaFleet
import LunaJSON

@testable import LunaBackend

/// A fleet in a storage of its own.
struct Fleet {
  static let now = Timestamp(microseconds: 1_800_000_000_000_000)

  let place: StoragePlace
  let storage: any Storage
  let store: FleetStore

  init(_ kind: StorageKind) async throws {
    place = try StoragePlace(kind)
    storage = try await place.prepared()
    store = FleetStore(storage: storage)
  }

  func change<Output: Sendable>(
    by actor: String = "ann", at time: Timestamp = Fleet.now,
    _ body: @escaping @Sendable (inout FleetWork) throws(FleetFailure) -> Output
  ) async throws -> Output {
    try await store.change(by: actor, at: time, body)
  }

  func add(_ name: String, _ fields: JSONObject = [:]) async throws -> Gateway {
    var json = fields
    json.append("name", .string(name))
    let edit = try RecordEdit(.gateway, json: json)
    return try await change { work throws(FleetFailure) in
      try work.add(edit, allowsNoPosition: true).gateway
    }
  }

  func edit(_ id: String, _ json: JSONObject) async throws -> (Gateway, Bool, Int64?) {
    let edit = try RecordEdit(.gateway, json: json)
    return try await change { work throws(FleetFailure) in
      let (gateway, isMerged, number) = try work.edit(id, edit)
      return (gateway, isMerged, number)
    }
  }

  func gateway(_ id: String) async throws -> Gateway? {
    try await store.read(at: Fleet.now) { work throws(FleetFailure) in try work.gateway(id) }
  }

  func undo(_ number: Int64, at time: Timestamp = Fleet.now) async throws -> [BulkResult]? {
    try await change(at: time) { work throws(FleetFailure) in try work.undo(number).results }
  }

  func count(_ table: String) async throws -> Int64? {
    try await storage.lookUp { work throws(StorageError) in
      try work.row("SELECT count(*) FROM luna.\(table)")?.integer(0)
    }
  }
}

/// The code with which something is refused; nil where it is not.
func refusal(_ body: () async throws -> Void) async throws -> String? {
  do {
    try await body()
    return nil
  } catch FleetFailure.refused(let reason) {
    return reason.code
  }
}
