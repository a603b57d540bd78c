import Bluetooth
import Glibc

/// The errors that a person can do something about: what happened, why, and what to do.
enum AdapterProblem {
  /// What always works.
  static let withoutAdapter = "--radio virtual and --read FILE work without an adapter"

  /// A Bluetooth socket could not be opened.
  static func socket(
    _ error: SystemCallError, for purpose: String, on host: any BluetoothHost
  ) -> SourceError {
    switch error.errno {
    case EAFNOSUPPORT, EPROTONOSUPPORT:
      guard host.entries(at: "/sys/class/bluetooth").isEmpty else {
        return SourceError(
          .noAdapter,
          "Bluetooth sockets exist in the machine's own network namespace only (\(error))",
          hint: "give the container the network of the host, or use --radio dbus")
      }
      return SourceError(
        .noAdapter, "the kernel has no Bluetooth support (\(error))", hint: withoutAdapter)
    case EPERM, EACCES: return permission(purpose, on: host)
    default: return SourceError(.lost, "\(purpose) is not possible (\(error))")
    }
  }

  /// This process may not do what is needed.
  static func permission(_ purpose: String, on host: any BluetoothHost) -> SourceError {
    SourceError(
      .noPermission, "this program is not permitted to \(purpose)",
      hint: host.isRoot
        ? "give this container or service the capabilities CAP_NET_RAW and CAP_NET_ADMIN"
        : setcap(on: host))
  }

  /// The command that gives this program what it needs.
  static func setcap(on host: any BluetoothHost) -> String {
    let path = host.executable
    let plain = path.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"):
        true
      default: false
      }
    }
    let quoted =
      plain
      ? path
      : "'"
        + path.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: #"'\''"#) + "'"
    return "run: sudo setcap cap_net_raw,cap_net_admin+eip \(quoted)"
  }

  /// There is no adapter at all.
  static func none(on host: any BluetoothHost) -> SourceError {
    switch RFKill.anywhere(on: host) {
    case .soft:
      return SourceError(
        .off, "the kernel lists no Bluetooth adapter, and rfkill blocks Bluetooth",
        hint: "run: rfkill unblock bluetooth")
    case .hard:
      return SourceError(
        .off, "the kernel lists no Bluetooth adapter, and a switch of the machine blocks Bluetooth",
        hint: "use the switch or key for wireless")
    case .unblocked:
      return SourceError(
        .noAdapter, "there is no Bluetooth adapter (the kernel's list of them is empty)",
        hint: withoutAdapter)
    }
  }

  /// The adapter is not powered.
  static func off(_ index: UInt16, on host: any BluetoothHost) -> SourceError {
    switch RFKill.state(of: index, on: host) {
    case .soft:
      return SourceError(
        .off, "hci\(index) is blocked by rfkill", hint: "run: rfkill unblock bluetooth")
    case .hard:
      return SourceError(
        .off, "hci\(index) is blocked by a switch of the machine (rfkill hard block)",
        hint: "use the switch or key for wireless")
    case .unblocked:
      return SourceError(
        .off, "hci\(index) is off (not powered)", hint: "run: bluetoothctl power on")
    }
  }

  /// Another program has the adapter for itself.
  static func exclusive(_ index: UInt16, on host: any BluetoothHost) -> SourceError {
    let holders = BluetoothSockets.holders(on: host).filter { !$0.hasPrefix("bluetoothd ") }
    let who = holders.isEmpty ? "another program" : holders.joined(separator: " or ")
    return SourceError(
      .busy, "hci\(index) is in exclusive use by \(who) (HCI user channel)",
      hint: "stop that program, or choose another adapter with -i")
  }
}
