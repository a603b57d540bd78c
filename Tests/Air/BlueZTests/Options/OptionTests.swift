import Bluetooth
import Diagnosis
import HCIHost
import Testing

@testable import BlueZ

@Suite struct OptionTests {
  @Test(
    arguments: [
      ("auto", .auto), ("observe", .observe), ("mgmt", .mgmt), ("dbus", .dbus),
      ("exclusive", .exclusive), ("h4:/dev/ttyUSB0", .h4(.path("/dev/ttyUSB0"))),
      ("h4:tcp:localhost:9000", .h4(.tcp(host: "localhost", port: 9000))),
      ("h4:tcp:[::1]:9000", .h4(.tcp(host: "::1", port: 9000))),
    ] as [(String, RadioPath)])
  func readsARadioPath(_ text: String, _ path: RadioPath) throws {
    #expect(try RadioPath(text) == path)
    #expect(path.description == text)
  }

  @Test(
    arguments: [
      "", "Auto", "hci0", "h4", "h4:", "h4:tcp:", "h4:tcp:host", "h4:tcp:host:", "h4:tcp::1",
      "h4:tcp:host:0", "h4:tcp:host:70000", "virtual",
    ])
  func refusesOtherTexts(_ text: String) {
    let error = #expect(throws: SourceError.self) { try RadioPath(text) }
    #expect(error?.kind == .invalid)
    #expect(error?.remedy != nil)
  }

  @Test(
    arguments: [
      ("hci0", .index(0)), ("hci12", .index(12)),
      ("00:1a:7d:da:71:13", .address(BluetoothAddress(value: 0x001A_7DDA_7113))),
      ("hci", nil), ("hci-1", nil), ("hci65535", nil), ("hci99999", nil), ("0", nil), ("", nil),
    ] as [(String, AdapterSelector?)])
  func readsAnAdapter(_ text: String, _ selector: AdapterSelector?) {
    #expect(AdapterSelector(text) == selector)
  }

  @Test(
    arguments: [
      (.h4(.path("/x")), ScanOptions(adapters: [.index(0)])),
      (.dbus, ScanOptions(mode: .passive)), (.dbus, ScanOptions(phys: [.le1M, .leCoded])),
      (.observe, ScanOptions(phys: [])), (.observe, ScanOptions(phys: [.le2M])),
    ] as [(RadioPath, ScanOptions)])
  func refusesOptionsThatMakeNoSense(_ path: RadioPath, _ options: ScanOptions) {
    let error = #expect(throws: SourceError.self) { try makeSource(path, options: options) }
    #expect(error?.kind == .invalid)
  }
}
