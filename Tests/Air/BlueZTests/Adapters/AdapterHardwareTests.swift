import Testing

@testable import BlueZ

@Suite struct AdapterHardwareTests {
  private static let adapter = "/sys/class/bluetooth/hci1"

  private let kernel = FakeKernel { state in
    let adapter = AdapterHardwareTests.adapter
    state.links["\(adapter)/device"] = "../../../1-1.4:1.0"
    state.links["\(adapter)/device/driver"] = "../../../../../bus/usb/drivers/btusb"
    state.files["\(adapter)/device/../busnum"] = "1"
    state.files["\(adapter)/device/../devnum"] = "14"
    state.files["\(adapter)/device/../idVendor"] = "0a12"
    state.files["\(adapter)/device/../idProduct"] = "0001"
    state.files["\(adapter)/device/../power/control"] = "auto"
    state.files["\(adapter)/device/../power/runtime_status"] = "suspended"
    for (number, soft, type) in [(3, "1", "bluetooth"), (4, "0", "wlan"), (5, "0", "bluetooth")] {
      state.files["/sys/class/rfkill/rfkill\(number)/type"] = type
      state.files["/sys/class/rfkill/rfkill\(number)/name"] = "switch\(number)"
      state.files["/sys/class/rfkill/rfkill\(number)/soft"] = soft
      state.files["/sys/class/rfkill/rfkill\(number)/hard"] = number == 5 ? "1" : "0"
    }
    state.files["\(adapter)/rfkill3/soft"] = "1"
    state.files["\(adapter)/rfkill3/name"] = "hci1"
  }

  @Test func tellsWhereAnAdapterIsPluggedIn() {
    var device = USBDevice(port: "1-1.4", bus: 1, number: 14)
    device.vendor = 0x0A12
    device.product = 0x0001
    device.powerControl = "auto"
    device.runtimeStatus = "suspended"
    let hardware = AdapterHardware.read(of: 1, on: kernel)
    #expect(hardware.driver == "btusb")
    #expect(hardware.usb == device)
    #expect(hardware.usb?.node == "/dev/bus/usb/001/014")
    #expect(hardware.switches == [RFKillSwitch(number: 3, name: "hci1", state: .soft)])
  }

  @Test func knowsAnAdapterWithoutHardware() {
    #expect(AdapterHardware.read(of: 0, on: kernel) == AdapterHardware(index: 0))
  }

  @Test func listsTheSwitchesForBluetooth() {
    #expect(
      RFKillSwitch.list(on: kernel) == [
        RFKillSwitch(number: 3, name: "switch3", state: .soft),
        RFKillSwitch(number: 5, name: "switch5", state: .hard),
      ])
    #expect(RFKill.anywhere(on: kernel) == .hard)
    #expect(RFKill.state(of: 1, on: kernel) == .soft)
  }
}
