import Bluetooth
import Synchronization
import TrackerMachine
import VirtualRadio

/// A connection to an accessory of another maker in a virtual room: the Attribute Protocol without
/// its bytes.
final class AccessoryConnection: GATTConnection {
  private struct State {
    var operationLimit: Duration
    var isOpen = true
    var isSubscribed = false
    var values: [[UInt8]] = []
    /// What somebody who waits for a value waits for.
    var sleeper: Task<Void, Never>?
  }

  private static let dult = GATTCharacteristic(
    service: TrackerCharacteristic.nonOwnerSound.service,
    uuid: TrackerCharacteristic.nonOwnerSound.uuid, properties: [.write, .indicate], handle: 3)
  private static let airTag = GATTCharacteristic(
    service: .bit128(high: 0x7DFC_9000_7D1C_4951, low: 0x86AA_8D97_28F8_D66C),
    uuid: .bit128(high: 0x7DFC_9001_7D1C_4951, low: 0x86AA_8D97_28F8_D66C), properties: [.write],
    handle: 7)

  private let room: TrackerRoom
  private let body: AccessoryBody
  private let latency: Duration
  private let state: Mutex<State>

  init(
    _ room: TrackerRoom, _ body: AccessoryBody, _ settings: VirtualLinkSettings,
    _ limits: GATTLimits
  ) {
    self.room = room
    self.body = body
    latency = settings.latency
    state = Mutex(State(operationLimit: limits.operation))
  }

  deinit { body.disconnect(self) }

  /// Whether it was not ended.
  var isOpen: Bool { state.withLock(\.isOpen) }

  var characteristics: [GATTCharacteristic] {
    body.kind == .airTag
      ? [AccessoryConnection.dult, AccessoryConnection.airTag] : [AccessoryConnection.dult]
  }

  var mtu: Int? { 247 }

  func limitOperations(to limit: Duration) async {
    state.withLock { $0.operationLimit = limit }
  }

  func read(_ characteristic: GATTCharacteristic) async throws(GATTError) -> [UInt8] {
    try await wait("read")
    throw GATTError(
      .refused, during: "read", "the accessory refused it with ATT error 2", attributeError: 2)
  }

  func write(
    _ value: [UInt8], to characteristic: GATTCharacteristic, _ kind: GATTWriteKind
  ) async throws(GATTError) {
    try check(characteristic, "write")
    try await wait("write")
    let isAirTag = characteristic == AccessoryConnection.airTag
    if let code = body.write(value, toAirTag: isAirTag, at: room.uptime) {
      throw GATTError(
        .refused, during: "write", "the accessory refused it with ATT error \(code)",
        attributeError: code)
    }
  }

  func subscribe(to characteristic: GATTCharacteristic) async throws(GATTError) {
    try check(characteristic, "subscribe")
    guard characteristic.properties.contains(.indicate) else {
      throw GATTError(.notFound, during: "subscribe", "it neither indicates nor notifies")
    }
    try await wait("subscribe")
    state.withLock { $0.isSubscribed = true }
  }

  func nextValue(
    of characteristic: GATTCharacteristic, within limit: Duration
  ) async throws(GATTError) -> [UInt8] {
    try check(characteristic, "indication")
    let end = room.uptime + VirtualGATTClient.milliseconds(limit)
    while true {
      body.advance(to: room.uptime)
      let (value, isOpen) = state.withLock { state in
        (state.values.isEmpty ? nil : state.values.removeFirst(), state.isOpen)
      }
      if let value { return value }
      guard isOpen, !Task.isCancelled else {
        throw .virtual(.abortedLocally, during: "indication")
      }
      let now = room.uptime
      guard now < end else {
        throw GATTError(.timedOut, during: "indication", "the accessory sent nothing in time")
      }
      await sleep(until: min(end, body.nextDeadline ?? end), from: now)
    }
  }

  private func sleep(until end: Int64, from now: Int64) async {
    let sleeper = state.withLock { state -> Task<Void, Never>? in
      guard state.values.isEmpty, state.isOpen else { return nil }
      let sleeper = Task { [room] in await room.sleep(for: .milliseconds(max(1, end - now))) }
      state.sleeper = sleeper
      return sleeper
    }
    guard let sleeper else { return }
    await withTaskCancellationHandler {
      await sleeper.value
    } onCancel: {
      sleeper.cancel()
    }
  }

  func disconnect() async {
    state.withLock { state in
      state.isOpen = false
      state.sleeper?.cancel()
    }
    body.disconnect(self)
  }

  /// The accessory indicates; nobody hears it who has not subscribed.
  func indicate(_ value: [UInt8]) {
    state.withLock { state in
      guard state.isOpen, state.isSubscribed, state.values.count < 64 else { return }
      state.values.append(value)
      state.sleeper?.cancel()
    }
  }

  private func check(
    _ characteristic: GATTCharacteristic, _ operation: String
  ) throws(GATTError) {
    guard characteristics.contains(characteristic) else {
      throw GATTError(
        .notFound, during: operation, "there is no characteristic \(characteristic.uuid)")
    }
  }

  /// A PDU and its answer.
  private func wait(_ operation: String) async throws(GATTError) {
    let (isOpen, limit) = state.withLock { ($0.isOpen, $0.operationLimit) }
    guard isOpen else { throw .virtual(.abortedLocally, during: operation) }
    await room.sleep(for: min(latency, limit))
    guard latency <= limit else {
      throw GATTError(.timedOut, during: operation, "the accessory did not answer in time")
    }
    guard !Task.isCancelled, self.isOpen else {
      throw .virtual(.abortedLocally, during: operation)
    }
  }
}
