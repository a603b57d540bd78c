import BlueZ
import Bluetooth
import Diagnosis

extension Judgement {
  /// `capabilities`.
  static func capabilities(_ facts: RadioFacts, _ daemon: DaemonSurvey?) -> Finding {
    let kernel = facts.kernel
    guard kernel.sockets == .available else {
      return Finding(.capabilities, .unknown, "there are no Bluetooth sockets to try them on")
    }
    let hasDaemon = daemon?.access == .answers
    let remedy: Remedy =
      kernel.isRoot
      ? "give this container or service the capabilities CAP_NET_RAW and CAP_NET_ADMIN"
      : kernel.isHelperForbidden
        ? "\(.joinGroup("bluetooth"))" : "\(.grantCapabilities(program: kernel.executable))"
    switch (kernel.mayMonitor, kernel.mayAdminister) {
    case (true, true):
      return Finding(
        .capabilities, .ok, "all radio paths are open: observe, mgmt, dbus and exclusive")
    case (true, false) where hasDaemon:
      return Finding(
        .capabilities, .warning,
        "CAP_NET_RAW alone: observe and dbus, as bluetoothd scans; not passively, not exclusive",
        remedy: remedy)
    case (false, true):
      return Finding(
        .capabilities, .warning,
        "CAP_NET_ADMIN alone: mgmt, dbus and exclusive; not observe, which hears everything",
        remedy: remedy)
    case (false, false) where hasDaemon:
      return Finding(
        .capabilities, .warning,
        "none: dbus only, which tells what bluetoothd passes on, and never scans passively",
        remedy: remedy)
    case (_, false):
      return Finding(
        .capabilities, .failed, "this program may not scan, and no bluetoothd does it for it",
        remedy: remedy + ", or " + "\(.startBluetoothDaemon)")
    }
  }

  /// `namespace`.
  static func namespace(_ facts: RadioFacts, _ daemon: DaemonSurvey?) -> Finding {
    switch facts.kernel.sockets {
    case .available: return Finding(.namespace, .ok, "Bluetooth sockets are there")
    case .refused(let error):
      return Finding(
        .namespace, .failed, "Bluetooth sockets cannot be had (\(error))",
        remedy: "allow the address family AF_BLUETOOTH in the unit or the container")
    case .absent(let kernelHasBluetooth, let error):
      let hasDaemon = daemon.map { !$0.radios.isEmpty } ?? false
      guard kernelHasBluetooth else {
        return Finding(
          .namespace, hasDaemon ? .warning : .failed,
          "there are no Bluetooth sockets: the kernel has no Bluetooth, or does not show it here "
            + "(\(error))",
          remedy: "\(.loadBluetooth); of a container, on its host")
      }
      return Finding(
        .namespace, hasDaemon ? .warning : .failed,
        "this network namespace has no Bluetooth sockets, which are in the machine's own only "
          + "(\(error))",
        remedy:
          "give the container the network of the host, or use \(.radioPath("dbus"))")
    }
  }
}
