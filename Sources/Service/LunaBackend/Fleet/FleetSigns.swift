import Bluetooth
import Synchronization

/// What all gateways told last, in memory: lists and searches would otherwise read each report anew. What
/// this server stores is noted here with it; what other processes have stored is read when it is asked for.
final class FleetSigns: Sendable {
  /// What a gateway told just now.
  private enum Sign {
    case upload(GatewayRecord)
    case health(GatewayHealth)
  }

  private struct State {
    var gateways: [String: GatewaySigns] = [:]
    /// When this server began, and the service had worked last before; nil until everything was read.
    var server: HealthRules.Server?
    /// ``Storage/foreignWrites()`` before everything was read last.
    var writes: Int64?
    /// Whether everything was read since the limits were changed by this server.
    var isRead = false
    /// From where on something is wrong with a gateway, as it was when everything was read last.
    var limits: HealthLimits
    /// How many are reading everything, and what was noted meanwhile: they may have read what was before it.
    var readings = 0
    var meanwhile: [Sign] = []

    mutating func put(_ sign: Sign) {
      switch sign {
      case .upload(let new):
        let old = gateways[new.name]
        let record = GatewayRecord(
          name: new.name, seenAt: new.seenAt, report: new.report ?? old?.upload?.report)
        gateways[new.name] = GatewaySigns(upload: record, health: old?.health, limits: limits)
      case .health(let new):
        let upload = gateways[new.gateway]?.upload
        gateways[new.gateway] = GatewaySigns(upload: upload, health: new, limits: limits)
      }
    }
  }

  private let storage: any Storage
  private let startedAt: Timestamp
  /// The limits where no admin has set any.
  private let base: HealthLimits
  private let state: Mutex<State>

  /// - Parameters:
  ///   - start: when the server began to work.
  ///   - limits: what holds where no admin has set any.
  init(_ storage: any Storage, since start: Timestamp, limits: HealthLimits) {
    self.storage = storage
    startedAt = start
    base = limits
    state = Mutex(State(limits: limits))
  }

  /// From where on something is wrong with a gateway.
  func limits() async throws(StorageError) -> HealthLimits {
    try await readOnce()
    return state.withLock { $0.limits }
  }

  /// Has everything be read once more: the limits are others, or gateways were dropped.
  func readAnew() {
    state.withLock { $0.isRead = false }
  }

  private func readOnce() async throws(StorageError) {
    if !state.withLock({ $0.isRead }) { try await readAll(try? await storage.foreignWrites()) }
  }

  /// Notes an upload that was stored.
  func note(_ upload: GatewayRecord) { note(.upload(upload)) }

  /// Notes a report that was stored.
  func note(_ health: GatewayHealth) { note(.health(health)) }

  private func note(_ sign: Sign) {
    state.withLock { state in
      state.put(sign)
      if state.readings > 0 { state.meanwhile.append(sign) }
    }
  }

  /// What all gateways do.
  func statuses(at time: Timestamp) async throws(StorageError) -> FleetStatuses {
    // Where it cannot be told, all is read: whether that works, the readers know.
    let writes = try? await storage.foreignWrites()
    if writes == nil || state.withLock({ !$0.isRead || $0.writes != writes }) {
      try await readAll(writes)
    }
    return state.withLock { statuses(of: $0.gateways, $0, at: time) }
  }

  /// What one gateway does; nothing is said of others.
  func statuses(of key: String, at time: Timestamp) async throws(StorageError) -> FleetStatuses {
    let limits = try await limits()
    let signs = GatewaySigns(
      upload: try await storage.gateway(named: key), health: try await storage.health(of: key),
      limits: limits)
    return state.withLock { statuses(of: [key: signs], $0, at: time) }
  }

  private func statuses(
    of gateways: [String: GatewaySigns], _ state: State, at time: Timestamp
  ) -> FleetStatuses {
    FleetStatuses(
      signs: gateways,
      server: state.server ?? HealthRules.Server(startedAt: startedAt, stoppedAt: nil),
      limits: state.limits, time: time)
  }

  private func readAll(_ writes: Int64?) async throws(StorageError) {
    let (known, before) = state.withLock { state in
      state.readings += 1
      // Who changes the limits while this reads has it read once more.
      state.isRead = true
      return (state.gateways, state.limits)
    }
    let result: Result<([String: GatewaySigns], HealthLimits), StorageError>
    do throws(StorageError) {
      let limits = try await AccountStore(storage).healthLimits(from: base)
      result = .success((try await read(limits == before ? known : [:], limits), limits))
    } catch { result = .failure(error) }
    state.withLock { state in
      if case .success(let (gateways, limits)) = result {
        if state.server == nil {
          let before = gateways.values.compactMap(\.seenAt).filter { $0 < startedAt }
          state.server = HealthRules.Server(startedAt: startedAt, stoppedAt: before.max())
        }
        state.gateways = gateways
        state.limits = limits
        state.writes = writes
        for sign in state.meanwhile { state.put(sign) }
      } else {
        state.isRead = false
      }
      state.readings -= 1
      if state.readings == 0 { state.meanwhile = [] }
    }
    _ = try result.get()
  }

  /// Everything; of what is known already, only what has changed is made anew.
  private func read(
    _ known: [String: GatewaySigns], _ limits: HealthLimits
  ) async throws(StorageError) -> [String: GatewaySigns] {
    let uploads = try await storage.gateways()
    let (times, changed) = try await storage.healths(unlike: known.compactMapValues(\.health?.time))
    var healths = known.compactMapValues(\.health).filter { times[$0.key] != nil }
    for health in changed { healths[health.gateway] = health }
    var gateways: [String: GatewaySigns] = [:]
    func put(_ name: String, _ upload: GatewayRecord?) {
      let (old, health) = (known[name], healths.removeValue(forKey: name))
      let isKnown = old?.upload == upload && old?.health?.time == health?.time
      gateways[name] =
        isKnown ? old : GatewaySigns(upload: upload, health: health, limits: limits)
    }
    for upload in uploads { put(upload.name, upload) }
    for name in healths.keys { put(name, nil) }
    return gateways
  }
}
