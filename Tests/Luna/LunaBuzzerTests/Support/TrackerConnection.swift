import Bluetooth
import Synchronization
import TrackerMachine

/// A connection to the tracker of a ``TrackerWorld``.
final class TrackerConnection: GATTConnection {
  private let world: TrackerWorld
  private let link: Int

  init(world: TrackerWorld, link: Int) {
    self.world = world
    self.link = link
  }

  static let all = TrackerCharacteristic.allCases.enumerated().map { index, kind in
    GATTCharacteristic(
      service: kind.service, uuid: kind.uuid,
      properties: [kind.isReadable ? .read : [], kind.isWritable ? [.write, .indicate] : []],
      handle: UInt16(10 + index))
  }

  var characteristics: [GATTCharacteristic] { get async { Self.all } }
  var mtu: Int? { get async { 64 } }

  func limitOperations(to limit: Duration) async {
    world.state.withLock { $0.operationLimit = Int64(limit / .milliseconds(1)) }
  }

  private func kind(_ characteristic: GATTCharacteristic) -> TrackerCharacteristic {
    TrackerCharacteristic.allCases[Int(characteristic.handle) - 10]
  }

  /// An operation that takes a moment, and may go wrong.
  private func step<Value>(
    _ name: String, _ body: (inout TrackerWorld.State) throws(GATTError) -> Value
  ) throws(GATTError) -> Value {
    let (latency, limit) = world.state.withLock { ($0.latency, $0.operationLimit) }
    world.advance(by: min(latency, limit))
    guard latency <= limit else {
      throw GATTError(.timedOut, during: name, "the peer did not answer in time")
    }
    return try world.state.withLock { (state) throws(GATTError) in
      guard state.isConnected, state.link == link else {
        throw GATTError(.abortedByPeer, during: name, "the connection is gone")
      }
      state.steps.append(name)
      let fault = state.faults[state.steps.count]
      if let fault, !fault.isAfterEffect {
        state.isConnected = false
        TrackerWorld.send(.disconnected, &state)
        throw fault.error
      }
      let value = try body(&state)
      if let fault {
        state.isConnected = false
        TrackerWorld.send(.disconnected, &state)
        throw fault.error
      }
      return value
    }
  }

  func read(_ characteristic: GATTCharacteristic) async throws(GATTError) -> [UInt8] {
    let kind = kind(characteristic)
    return try step("read") { (state) throws(GATTError) in
      guard case .value(let bytes)? = TrackerWorld.send(.read(kind, offset: 0), &state) else {
        throw GATTError(.refused, during: "read", "not permitted")
      }
      return bytes
    }
  }

  func write(
    _ value: [UInt8], to characteristic: GATTCharacteristic, _ how: GATTWriteKind
  ) async throws(GATTError) {
    let kind = kind(characteristic)
    try step("write") { (state) throws(GATTError) in
      guard case .written? = TrackerWorld.send(.write(kind, value), &state) else {
        throw GATTError(.refused, during: "write", "not permitted")
      }
    }
  }

  func subscribe(to characteristic: GATTCharacteristic) async throws(GATTError) {
    try step("subscribe") { _ throws(GATTError) in }
  }

  func nextValue(
    of characteristic: GATTCharacteristic, within limit: Duration
  ) async throws(GATTError) -> [UInt8] {
    var left = Int64(limit / .milliseconds(1))
    while true {
      let isThere = world.state.withLock { state in
        !state.values.isEmpty || !state.isConnected || state.link != link
          || state.faults[state.steps.count + 1] != nil
      }
      if isThere {
        if let value = takeLast() { return value }
        return try step("receive") { (state) throws(GATTError) in
          guard !state.values.isEmpty else {
            throw GATTError(.timedOut, during: "indication", "nothing came")
          }
          return state.values.removeFirst()
        }
      }
      guard !Task.isCancelled else {
        throw GATTError(.abortedLocally, during: "indication", "nobody waits any more")
      }
      guard left > 0 else { throw GATTError(.timedOut, during: "indication", "nothing came") }
      let piece = min(left, 50)
      world.advance(by: piece)
      left -= piece
    }
  }

  /// Values that came before the connection ended are still delivered.
  private func takeLast() -> [UInt8]? {
    world.state.withLock { state in
      guard !state.isConnected, state.link == link, !state.values.isEmpty,
        state.faults[state.steps.count + 1] == nil
      else { return nil }
      state.steps.append("receive")
      return state.values.removeFirst()
    }
  }

  func disconnect() async {
    world.state.withLock { state in
      guard state.link == link, state.isConnected else { return }
      state.isConnected = false
      TrackerWorld.send(.disconnected, &state)
    }
  }
}
