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

  /// A change, which is another one where another server has given its number again.
  private struct Mark: Hashable, Sendable {
    var number: Int64 = -1
    var time: Int64 = 0
  }

  private struct State {
    /// The last change that is known.
    var last = Mark()
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
    return state.withLock { ($0.present, $0.last.number) }
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
    let known = state.withLock { $0.last }
    let (newest, time): (Int64, Int64)
    do throws(StorageError) {
      (newest, time) = try await store.storage.lookUp { work throws(StorageError) in
        let row = try work.row(
          """
          SELECT coalesce(max(number), 0), (SELECT time FROM luna.changes WHERE number = $1)
          FROM luna.changes
          """, [.integer(known.number)])
        return (row?.integer(0) ?? 0, row?.integer(1) ?? 0)
      }
    } catch { throw .storage(error) }
    // Where a server has taken over that had not all changes, numbers come again: all is read anew.
    let isAnew = time != known.time
    guard isAnew || newest != known.number else { return }
    let start = isAnew ? Mark().number : known.number
    let (gateways, gone, last) = try await store.read(at: .unknown) {
      work throws(FleetFailure) in
      let last = try work.row(
        "SELECT number, time FROM luna.changes ORDER BY number DESC LIMIT 1")
      return (
        try work.gateways(where: "change > $1", [.integer(start)]),
        try work.rows(
          "SELECT object FROM luna.changes WHERE number > $1 AND action = 'purge'",
          [.integer(start)]
        ).map { $0.text(0) }, Mark(number: last?.integer(0) ?? 0, time: last?.integer(1) ?? 0)
      )
    }
    let entries = gateways.map { Entry($0) }
    state.withLock { state in
      // Somebody else may have been faster, and read more.
      let isBack = isAnew && state.last == known
      guard isBack || state.last.number <= last.number else { return }
      if isBack { state.entries = [:] }
      for id in gone { state.entries[id] = nil }
      for entry in entries { state.entries[entry.gateway.id] = entry }
      state.last = last
      state.present = state.entries.values.filter { $0.gateway.removedAt == nil }
        .sorted { ($0.nameKey, $0.gateway.id) < ($1.nameKey, $1.gateway.id) }
    }
  }
}
