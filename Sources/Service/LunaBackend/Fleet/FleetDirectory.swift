import Bluetooth
import LunaFleet
import Synchronization

/// All records of gateways in memory, made ready to be searched: what was changed since, by whatever
/// process, is read again.
final class FleetDirectory: Sendable {
  /// A record; shared, as lists hand on thousands.
  final class Entry: Sendable {
    let gateway: Gateway
    let searched: SearchedGateway
    /// What it is sorted by where nothing else is asked for.
    let nameKey: String

    init(_ gateway: Gateway) {
      self.gateway = gateway
      searched = SearchedGateway(gateway)
      nameKey = FleetOrder.byName.key(gateway, SearchedStatus())
    }
  }

  private struct State {
    var number: Int64 = -1
    var entries: [String: Entry] = [:]
    /// Those that are not removed, by name.
    var present: [Entry] = []
  }

  private let store: FleetStore
  private let state = Mutex(State())

  init(_ store: FleetStore) { self.store = store }

  /// The records that are present, in ``FleetOrder/byName``, and the number of the last change.
  func present() async throws(FleetFailure) -> (entries: [Entry], number: Int64) {
    try await refresh()
    return state.withLock { ($0.present, $0.number) }
  }

  /// The names of gateways by their ids, of removed ones, too: as they are now, or were last.
  func names(of ids: Set<String>) async throws(FleetFailure) -> [String: String] {
    try await refresh()
    return state.withLock { state in
      var names: [String: String] = [:]
      for id in ids { names[id] = state.entries[id]?.gateway.name }
      return names
    }
  }

  private func refresh() async throws(FleetFailure) {
    let known = state.withLock { $0.number }
    let newest: Int64
    do throws(StorageError) {
      newest = try await store.storage.lookUp { work throws(StorageError) in
        try work.row("SELECT coalesce(max(number), 0) FROM luna.changes")?.integer(0) ?? 0
      }
    } catch { throw .storage(error) }
    guard newest != known else { return }
    let (gateways, gone, number) = try await store.read(at: .unknown) {
      work throws(FleetFailure) in
      let number = try work.rows("SELECT coalesce(max(number), 0) FROM luna.changes").first
      return (
        try work.gateways(where: "change > $1", [.integer(known)]),
        try work.rows(
          "SELECT object FROM luna.changes WHERE number > $1 AND action = 'purge'",
          [.integer(known)]
        ).map { $0.text(0) }, number?.integer(0) ?? 0
      )
    }
    let entries = gateways.map { Entry($0) }
    state.withLock { state in
      // Somebody else may have been faster, and read more.
      guard state.number <= number else { return }
      for id in gone { state.entries[id] = nil }
      for entry in entries { state.entries[entry.gateway.id] = entry }
      state.number = number
      state.present = state.entries.values.filter { $0.gateway.removedAt == nil }
        .sorted { ($0.nameKey, $0.gateway.id) < ($1.nameKey, $1.gateway.id) }
    }
  }
}
