import BlueZ
import Bluetooth
import Diagnosis

extension Judgement {
  /// `power`.
  static func power(_ facts: RadioFacts, _ daemon: DaemonSurvey?) -> Finding {
    let adapters = facts.chosen
    guard !adapters.isEmpty else {
      if let radio = daemon?.radios.first, facts.kernel.sockets != .available {
        return power(of: radio)
      }
      return facts.nobody(.power)
    }
    for adapter in adapters {
      if let finding = fault(adapter, daemon, facts.kernel) { return finding }
    }
    let names = adapters.map(\.name).joined(separator: ", ")
    return Finding(.power, .ok, "\(names) \(adapters.count == 1 ? "is" : "are") on")
  }

  private static func fault(
    _ adapter: Adapter, _ daemon: DaemonSurvey?, _ kernel: KernelSurvey
  ) -> Finding? {
    let name = adapter.name
    switch adapter.state {
    case .down:
      if daemon.map(isAway) ?? false {
        return kernel.mayAdminister
          ? Finding(.power, .ok, "\(name) is off; without bluetoothd, a scan switches it on")
          : Finding(
            .power, .failed, "\(name) is off, and there is no bluetoothd to switch it on",
            remedy: "\(.startBluetoothDaemon)")
      }
      return Finding(
        .power, .failed, "\(name) is off", remedy: powerOn(name, kernel))
    case .softBlocked, .hardBlocked:
      return Finding(
        .power, .failed, "\(name) is off, and cannot be on while rfkill blocks it",
        remedy: "lift the block (rfkill); then \(powerOn(name, kernel))")
    case .unconfigured:
      return Finding(.power, .unknown, "\(name) cannot be switched on before it is configured")
    case .exclusive:
      return Finding(.power, .unknown, "\(name) is in exclusive use by another program")
    case .up:
      guard let radio = daemon?.radios.first(where: { $0.index == adapter.index }),
        !radio.isPowered
      else { return nil }
      // What bluetoothd calls NotReady although the adapter is.
      return Finding(
        .power, .failed, "\(name) is on, and bluetoothd takes it for off",
        remedy: "\(.restartBluetoothDaemon)")
    }
  }

  /// How one adapter is switched on: bluetoothctl takes one of several by itself, often the last.
  static func powerOn(_ name: String, _ kernel: KernelSurvey) -> Remedy {
    kernel.adapters.count > 1
      ? "run: busctl set-property org.bluez /org/bluez/\(name) org.bluez.Adapter1 Powered b true"
      : "\(.powerOnAdapter(name))"
  }

  /// Whether bluetoothd is not there to be asked for a scan.
  private static func isAway(_ daemon: DaemonSurvey) -> Bool {
    switch daemon.access {
    case .noBus, .notRunning: true
    case .answers, .denied, .silent: false
    }
  }

  private static func power(of radio: DaemonSurvey.Radio) -> Finding {
    let name = "hci\(radio.index)"
    return radio.isPowered
      ? Finding(.power, .ok, "\(name) is on, says bluetoothd")
      : Finding(
        .power, .failed, "\(name) is off, says bluetoothd", remedy: "\(.powerOnAdapter(name))")
  }
}
