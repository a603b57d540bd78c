import Bluetooth
import Diagnosis
import Glibc
import HCIHost

/// The errors that a person can do something about: what happened, why, and what to do.
enum AdapterProblem {
  /// What always works.
  static let withoutAdapter: Remedy =
    "\(.radioPath("virtual")) and \(.recording) work without an adapter"

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
          remedy: "give the container the network of the host, or use \(.radioPath("dbus"))")
      }
      return SourceError(
        .noAdapter, "the kernel has no Bluetooth support (\(error))", remedy: withoutAdapter)
    case EPERM, EACCES: return permission(purpose, on: host)
    default: return SourceError(.lost, "\(purpose) is not possible (\(error))")
    }
  }

  /// This process may not do what is needed.
  static func permission(_ purpose: String, on host: any BluetoothHost) -> SourceError {
    SourceError(
      .noPermission, "this program is not permitted to \(purpose)",
      remedy: host.isRoot
        ? "give this container or service the capabilities CAP_NET_RAW and CAP_NET_ADMIN"
        : rights(on: host))
  }

  /// How a user gets the right to hear everything: the helper is better than rights of the program.
  static func rights(on host: any BluetoothHost) -> Remedy {
    host.helper == .forbidden
      ? "\(.joinGroup(SocketHelper.group))" : "\(.grantCapabilities(program: host.executable))"
  }

  /// There is no adapter at all.
  static func none(on host: any BluetoothHost) -> SourceError {
    switch RFKill.anywhere(on: host) {
    case .soft:
      return SourceError(
        .off, "the kernel lists no Bluetooth adapter, and rfkill blocks Bluetooth",
        remedy: "\(.unblockRadios)")
    case .hard:
      return SourceError(
        .off, "the kernel lists no Bluetooth adapter, and a switch of the machine blocks Bluetooth",
        remedy: "use the switch or key for wireless")
    case .unblocked:
      return SourceError(
        .noAdapter, "there is no Bluetooth adapter (the kernel's list of them is empty)",
        remedy: withoutAdapter)
    }
  }

  /// The adapter is not powered.
  static func off(_ index: UInt16, on host: any BluetoothHost) -> SourceError {
    switch RFKill.state(of: index, on: host) {
    case .soft:
      return SourceError(
        .off, "hci\(index) is blocked by rfkill", remedy: "\(.unblockRadios)")
    case .hard:
      return SourceError(
        .off, "hci\(index) is blocked by a switch of the machine (rfkill hard block)",
        remedy: "use the switch or key for wireless")
    case .unblocked:
      return SourceError(
        .off, "hci\(index) is off (not powered)", remedy: "\(.powerOnAdapter("hci\(index)"))")
    }
  }

  /// Another program has the adapter for itself.
  static func exclusive(_ index: UInt16, on host: any BluetoothHost) -> SourceError {
    let holders = BluetoothSockets.holders(on: host).filter { !$0.hasPrefix("bluetoothd ") }
    let who = holders.isEmpty ? "another program" : holders.joined(separator: " or ")
    return SourceError(
      .busy, "hci\(index) is in exclusive use by \(who) (HCI user channel)",
      remedy: "stop that program, or choose \(.otherAdapter)")
  }
}
