import Bluetooth
import LunaCore
import LunaFleet

/// How all gateways are, and what has become different since somebody asked for that last.
actor FleetMonitor {
  /// A gateway and how it is.
  struct Entry: Sendable {
    let gateway: Gateway
    let status: GatewayStatus
    /// What it told last; nil when it never told anything.
    let signs: GatewaySigns?

    var report: HealthReport? { signs?.health?.report }
  }

  /// What has become of a gateway since differences were taken last.
  struct Difference: Sendable {
    let entry: Entry
    /// Whether its state or its verdict is another one.
    let isState: Bool
  }

  private let signs: FleetSigns
  private let directory: FleetDirectory
  private var entries: [String: Entry] = [:]
  private var differences: [String: Difference] = [:]
  private var last: FleetStatuses?

  init(_ signs: FleetSigns, _ directory: FleetDirectory) {
    self.signs = signs
    self.directory = directory
  }

  /// All gateways that are present, and how they were at the last look.
  var present: [Entry] { Array(entries.values) }

  /// The statuses of all, as far as was known at the last look.
  func statuses(at time: Timestamp) async throws(FleetFailure) -> FleetStatuses {
    if last == nil { try await look(at: time) }
    guard let last else { throw .storage(StorageError(.failed, "no look has worked")) }
    return FleetStatuses(
      signs: last.signs, server: last.server, limits: last.limits, time: time)
  }

  /// What was found to be different since this was asked last, whoever looked.
  func takeDifferences() -> [Difference] {
    defer { differences = [:] }
    return differences.values.sorted { $0.entry.gateway.id < $1.entry.gateway.id }
  }

  /// Looks what is new.
  func look(at time: Timestamp) async throws(FleetFailure) {
    let present = try await directory.present().entries
    let statuses: FleetStatuses
    do throws(StorageError) {
      statuses = try await signs.statuses(at: time)
    } catch { throw .storage(error) }
    // From here on nobody comes between.
    let isFirst = last == nil
    last = statuses
    for entry in present { note(entry.gateway, statuses, isFirst: isFirst) }
    if entries.count > present.count {
      let ids = Set(present.map(\.gateway.id))
      entries = entries.filter { ids.contains($0.key) }
      differences = differences.filter { ids.contains($0.key) }
    }
  }

  /// - Parameter isFirst: whether there is nothing to compare with.
  private func note(_ gateway: Gateway, _ statuses: FleetStatuses, isFirst: Bool) {
    let (old, signs) = (entries[gateway.id], statuses.signs[gateway.key])
    let isHeard = old?.signs !== signs
    if let old, !isHeard, old.gateway.revision == gateway.revision,
      old.status.state == statuses.state(of: gateway)
    {
      return
    }
    let entry = Entry(gateway: gateway, status: statuses.status(of: gateway), signs: signs)
    entries[gateway.id] = entry
    let isState =
      old?.status.state != entry.status.state || old?.status.verdict != entry.status.verdict
    guard !isFirst, isState || isHeard else { return }
    differences[gateway.id] = Difference(
      entry: entry, isState: isState || differences[gateway.id]?.isState == true)
  }
}
