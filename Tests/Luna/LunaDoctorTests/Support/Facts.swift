import BlueZ
import Bluetooth

@testable import LunaDoctor

/// Facts of a machine on which all is well, to be made worse by a test.
enum Facts {
  static func adapter(_ index: UInt16 = 0, _ state: AdapterState = .up) -> Adapter {
    var adapter = Adapter(index: index, state: state)
    adapter.address = BluetoothAddress(value: 0x0011_2233_4400 + UInt64(index))
    adapter.features = [.lowEnergy]
    adapter.bus = .usb
    adapter.driver = "btusb"
    adapter.hciVersion = 12
    return adapter
  }

  static func usb(
    control: String = "on", status: String = "active", vendor: UInt16 = 0x8087
  ) -> AdapterHardware {
    var device = USBDevice(port: "1-1.4", bus: 1, number: 4)
    device.powerControl = control
    device.runtimeStatus = status
    device.vendor = vendor
    return AdapterHardware(index: 0, driver: "btusb", usb: device)
  }

  static func kernel(_ change: (inout KernelSurvey) -> Void = { _ in }) -> KernelSurvey {
    var survey = KernelSurvey(
      adapters: [adapter()], hardware: [0: usb()],
      switches: [RFKillSwitch(number: 0, name: "hci0", state: .unblocked)])
    change(&survey)
    return survey
  }

  static func radio(
    wanted: [AdapterSelector] = [], _ change: (inout KernelSurvey) -> Void = { _ in }
  ) -> RadioFacts {
    RadioFacts(wanted: wanted, kernel: kernel(change))
  }

  static let daemon = DaemonSurvey(
    .answers, processID: 312, radios: [.init(index: 0)], isExperimental: false)

  static var scanning: DaemonSurvey {
    DaemonSurvey(.answers, radios: [.init(index: 0, isDiscovering: true)])
  }

  static let release = KernelRelease("7.0.12")
  static let old = KernelRelease("6.1.0-18-amd64", version: "#1 SMP Debian 6.1.76-1 (2024-02-01)")
}
