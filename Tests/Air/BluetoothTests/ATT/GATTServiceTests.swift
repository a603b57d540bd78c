import Bluetooth
import Testing

@Suite struct GATTServiceTests {
  @Test func offersWhatEveryServerHasToAndNoMore() {
    let services = GATTService.required(name: "Luna", appearance: 0x0200)
    #expect(services.map(\.uuid) == [.bit16(0x1800), .bit16(0x1801)])
    #expect(services[0].characteristics.map(\.constant) == [Array("Luna".utf8), [0x00, 0x02]])
    #expect(services[1].characteristics.isEmpty)
  }

  @Test func cutsConstantsThatNoValueHolds() {
    let constant = [UInt8](repeating: 7, count: 600)
    let characteristic = GATTService.Characteristic(.bit16(0x1234), .read, constant: constant)
    #expect(characteristic.constant?.count == 512)
  }
}
