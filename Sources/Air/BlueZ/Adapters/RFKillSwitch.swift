/// A switch of rfkill's for Bluetooth: every adapter has one, and some machines have another that
/// cuts the adapter's power.
package struct RFKillSwitch: Hashable, Sendable {
  /// N of rfkillN, by which `/dev/rfkill` is told which one is meant.
  package var number: UInt32
  /// What it is called: `hci0` for an adapter's own, `tpacpi_bluetooth_sw` for a machine's.
  package var name: String
  /// Whether it blocks.
  package var state: RFKill

  package init(number: UInt32, name: String, state: RFKill) {
    self.number = number
    self.name = name
    self.state = state
  }

  /// All that this machine has for Bluetooth.
  package static func list() -> [RFKillSwitch] { list(on: LinuxHost()) }

  static func list(on host: any BluetoothHost) -> [RFKillSwitch] {
    read(in: "/sys/class/rfkill", on: host)
      .filter { host.text(at: "/sys/class/rfkill/rfkill\($0.number)/type") == "bluetooth" }
  }

  /// Those of one adapter.
  static func list(of index: UInt16, on host: any BluetoothHost) -> [RFKillSwitch] {
    read(in: "/sys/class/bluetooth/hci\(index)", on: host)
  }

  private static func read(in directory: String, on host: any BluetoothHost) -> [RFKillSwitch] {
    host.entries(at: directory).compactMap { entry in
      guard entry.hasPrefix("rfkill"), let number = UInt32(entry.dropFirst(6)) else { return nil }
      let path = "\(directory)/\(entry)"
      let state: RFKill =
        host.text(at: "\(path)/hard") == "1"
        ? .hard : host.text(at: "\(path)/soft") == "1" ? .soft : .unblocked
      return RFKillSwitch(
        number: number, name: host.text(at: "\(path)/name") ?? entry, state: state)
    }
  }
}
