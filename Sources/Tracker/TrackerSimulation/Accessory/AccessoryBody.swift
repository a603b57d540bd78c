import Bluetooth
import Synchronization
import VirtualRadio

/// An accessory of another maker in a virtual room: its machine, and who is connected to it.
final class AccessoryBody: Sendable {
  private struct State {
    var machine: AccessoryMachine
    weak var connection: AccessoryConnection?
  }

  let kind: VirtualAccessory.Kind
  /// Is told when it takes connections again.
  private let changes: RoomChanges
  private let state: Mutex<State>

  init(_ accessory: VirtualAccessory, _ changes: RoomChanges) {
    kind = accessory.kind
    self.changes = changes
    state = Mutex(State(machine: AccessoryMachine(accessory)))
  }

  /// Whether it sounds.
  func isSounding(at now: Int64) -> Bool {
    advance(to: now)
    return state.withLock { $0.machine.soundUntil != nil }
  }

  /// When it does something by itself.
  var nextDeadline: Int64? { state.withLock { $0.machine.soundUntil } }

  /// Takes a connection; false while another one is there.
  func connect(_ connection: AccessoryConnection) -> Bool {
    state.withLock { state in
      guard state.connection == nil else { return false }
      state.connection = connection
      return true
    }
  }

  /// The connection is gone.
  func disconnect(_ connection: AccessoryConnection) {
    let isOpening = state.withLock { state in
      guard state.connection == nil || state.connection === connection else { return false }
      state.connection = nil
      state.machine.disconnected()
      return true
    }
    if isOpening { changes.note() }
  }

  /// What was to be done by a time is done.
  func advance(to now: Int64) {
    let (connection, values) = state.withLock { ($0.connection, $0.machine.advance(to: now)) }
    for value in values { connection?.indicate(value) }
  }

  /// A characteristic was written; the error of the Attribute Protocol when it is refused.
  func write(_ bytes: [UInt8], toAirTag isAirTag: Bool, at now: Int64) -> UInt8? {
    advance(to: now)
    let (connection, answer) = state.withLock { state in
      let answer =
        isAirTag ? state.machine.writeAirTag(bytes, at: now) : state.machine.write(bytes, at: now)
      return (state.connection, answer)
    }
    switch answer {
    case .refused(let code): return code
    case .taken(let values):
      for value in values { connection?.indicate(value) }
      return nil
    }
  }
}
