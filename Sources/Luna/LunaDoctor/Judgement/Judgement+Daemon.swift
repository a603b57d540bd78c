import BlueZ
import Bluetooth
import Diagnosis

extension Judgement {
  /// `bluetoothd`.
  ///
  /// - Parameter version: what it says its version is; nil when it could not be asked.
  static func bluetoothd(
    _ daemon: DaemonSurvey, version: String?, _ facts: RadioFacts
  ) -> Finding {
    switch daemon.access {
    case .answers: return answers(daemon, version, facts)
    case .denied:
      return Finding(.bluetoothd, .ok, "it runs, and may not be asked for more (see dbus)")
    case .silent(let error):
      return Finding(
        .bluetoothd, .failed, "it runs and does not answer (\(error))",
        remedy: "\(.restartBluetoothDaemon)")
    case .noBus:
      return Finding(.bluetoothd, .unknown, "there is no bus on which to ask for it (see dbus)")
    case .notRunning:
      // The kernel scans without it, for who may ask for that.
      return facts.kernel.mayAdminister
        ? Finding(
          .bluetoothd, .warning,
          "it does not run; this program may do without it, and programs without rights may not",
          remedy: "\(.startBluetoothDaemon)")
        : Finding(
          .bluetoothd, .failed, "it does not run, and this program may not scan without it",
          remedy: "\(.startBluetoothDaemon)")
    }
  }

  private static func answers(
    _ daemon: DaemonSurvey, _ version: String?, _ facts: RadioFacts
  ) -> Finding {
    let name = "bluetoothd" + (version.map { " \($0)" } ?? "")
    let unknown = facts.chosen.filter { adapter in
      adapter.state == .up && !daemon.radios.contains { $0.index == adapter.index }
    }
    guard unknown.isEmpty else {
      let names = unknown.map(\.name).joined(separator: ", ")
      return Finding(
        .bluetoothd, .failed, "\(name) runs, and does not know \(names)",
        remedy: "\(.restartBluetoothDaemon)")
    }
    let experimental = daemon.isExperimental.map {
      " (experimental interfaces are \($0 ? "on" : "off"); Luna needs none)"
    }
    return Finding(.bluetoothd, .ok, "\(name) runs\(experimental ?? "")")
  }

  /// `dbus`.
  static func dbus(_ daemon: DaemonSurvey, _ facts: RadioFacts) -> Finding {
    switch daemon.access {
    case .noBus(let error):
      return Finding(
        .dbus, facts.kernel.mayAdminister ? .warning : .failed,
        "the system bus cannot be reached (\(error))",
        remedy: "\(.startUnit("dbus.socket")); in a container, mount /run/dbus")
    case .denied(let error):
      return Finding(
        .dbus, .failed, "the policy of D-Bus keeps this user away from bluetoothd (\(error))",
        remedy: "\(.joinGroup("bluetooth"))")
    case .notRunning: return Finding(.dbus, .ok, "the system bus answers")
    case .silent: return Finding(.dbus, .ok, "the system bus answers; bluetoothd does not")
    case .answers:
      return Finding(.dbus, .ok, "the system bus lets this user speak to bluetoothd")
    }
  }
}
