/// What rfkill says about a radio.
enum RFKill: Hashable, Sendable {
  case unblocked
  /// Switched off in software; any program with the right to can switch it on.
  case soft
  /// Switched off by a switch or key of the machine, or by its firmware.
  case hard

  /// The state of one adapter.
  static func state(of index: UInt16, on host: any BluetoothHost) -> RFKill {
    let adapter = "/sys/class/bluetooth/hci\(index)"
    return host.entries(at: adapter).filter { $0.hasPrefix("rfkill") }
      .map { read("\(adapter)/\($0)", host) }.max() ?? .unblocked
  }

  /// The strictest state of all Bluetooth switches. Some machines cut the adapter's power with
  /// theirs, so that there is no adapter while it is off.
  static func anywhere(on host: any BluetoothHost) -> RFKill {
    let directory = "/sys/class/rfkill"
    return host.entries(at: directory).map { "\(directory)/\($0)" }
      .filter { host.text(at: "\($0)/type") == "bluetooth" }
      .map { read($0, host) }.max() ?? .unblocked
  }

  private static func read(_ path: String, _ host: any BluetoothHost) -> RFKill {
    if host.text(at: "\(path)/hard") == "1" { return .hard }
    return host.text(at: "\(path)/soft") == "1" ? .soft : .unblocked
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

  static func < (left: RFKill, right: RFKill) -> Bool { left.strictness < right.strictness }
}
