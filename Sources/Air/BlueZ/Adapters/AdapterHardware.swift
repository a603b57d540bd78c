/// What sysfs tells about an adapter: what drives it, where it is plugged in, what blocks it. No
/// right is needed to read it, and it is there while the adapter answers nothing.
package struct AdapterHardware: Hashable, Sendable {
  /// N of hciN.
  package var index: UInt16
  /// The kernel driver: `btusb`, `hci_uart_bcm`.
  package var driver: String?
  /// Where it is plugged in; nil when USB does not connect it.
  package var usb: USBDevice?
  /// The switches of rfkill's that are the adapter's own.
  package var switches: [RFKillSwitch]

  package init(
    index: UInt16, driver: String? = nil, usb: USBDevice? = nil, switches: [RFKillSwitch] = []
  ) {
    self.index = index
    self.driver = driver
    self.usb = usb
    self.switches = switches
  }

  /// What this machine's sysfs tells now.
  package static func read(of index: UInt16) -> AdapterHardware { read(of: index, on: LinuxHost()) }

  static func read(of index: UInt16, on host: any BluetoothHost) -> AdapterHardware {
    AdapterHardware(
      index: index, driver: driver(of: index, on: host),
      usb: USBDevice.read(of: index, on: host), switches: RFKillSwitch.list(of: index, on: host))
  }

  /// What drives an adapter.
  static func driver(of index: UInt16, on host: any BluetoothHost) -> String? {
    host.link(at: "/sys/class/bluetooth/hci\(index)/device/driver")?.split(separator: "/").last
      .map { String($0) }
  }
}
