/// What rfkill says about a radio.
package enum RFKill: Hashable, Sendable {
  case unblocked
  /// Switched off in software; any program with the right to can switch it on.
  case soft
  /// Switched off by a switch or key of the machine, or by its firmware.
  case hard

  /// The state of one adapter.
  static func state(of index: UInt16, on host: any BluetoothHost) -> RFKill {
    RFKillSwitch.list(of: index, on: host).map(\.state).max() ?? .unblocked
  }

  /// The strictest state of all Bluetooth switches. Some machines cut the adapter's power with
  /// theirs, so that there is no adapter while it is off.
  static func anywhere(on host: any BluetoothHost) -> RFKill {
    RFKillSwitch.list(on: host).map(\.state).max() ?? .unblocked
  }
}

extension RFKill: Comparable {
  private var strictness: Int {
    switch self {
    case .unblocked: 0
    case .soft: 1
    case .hard: 2
    }
  }

  package static func < (left: RFKill, right: RFKill) -> Bool {
    left.strictness < right.strictness
  }
}
