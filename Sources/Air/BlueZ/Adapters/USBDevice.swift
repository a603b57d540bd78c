/// The USB device that an adapter is, or is a part of.
package struct USBDevice: Hashable, Sendable {
  /// Where it is plugged in, as the kernel writes it: `1-1.4`.
  package var port: String
  /// The bus, and the number on it, which changes with every plugging.
  package var bus: UInt16
  package var number: UInt16
  /// Who made it, and what it is.
  package var vendor: UInt16?
  package var product: UInt16?
  /// `on`, or `auto` when the kernel may suspend it.
  package var powerControl: String?
  /// `active`, `suspended`, …
  package var runtimeStatus: String?

  package init(port: String, bus: UInt16, number: UInt16) {
    self.port = port
    self.bus = bus
    self.number = number
  }

  /// The node through which it is reset: `/dev/bus/usb/001/004`.
  package var node: String { "/dev/bus/usb/\(USBDevice.digits(bus))/\(USBDevice.digits(number))" }

  private static func digits(_ number: UInt16) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, 3 - text.count)) + text
  }

  /// The device of an adapter; nil when USB does not connect it.
  static func read(of index: UInt16, on host: any BluetoothHost) -> USBDevice? {
    // What the link leads to is an interface of the device (1-1.4:1.0); the device lies above it.
    let interface = "/sys/class/bluetooth/hci\(index)/device"
    let device = "\(interface)/.."
    guard let bus = host.text(at: "\(device)/busnum").flatMap({ UInt16($0) }),
      let number = host.text(at: "\(device)/devnum").flatMap({ UInt16($0) }),
      let place = host.link(at: interface)?.split(separator: "/").last
    else { return nil }
    func code(_ name: String) -> UInt16? {
      host.text(at: "\(device)/\(name)").flatMap { UInt16($0, radix: 16) }
    }
    var found = USBDevice(port: String(place.prefix { $0 != ":" }), bus: bus, number: number)
    found.vendor = code("idVendor")
    found.product = code("idProduct")
    found.powerControl = host.text(at: "\(device)/power/control")
    found.runtimeStatus = host.text(at: "\(device)/power/runtime_status")
    return found
  }
}
