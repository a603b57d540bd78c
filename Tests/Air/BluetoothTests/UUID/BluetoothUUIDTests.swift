import Testing

@testable import Bluetooth

@Suite struct BluetoothUUIDTests {
  @Test(arguments: ["1804", "0000FE2C", "38EB0000-FC56-5CB4-A0F2-DAD299D5501D"])
  func printsWhatItRead(_ text: String) {
    #expect(BluetoothUUID(text)?.description == text)
    #expect(BluetoothUUID(text.lowercased())?.description == text)
  }

  @Test(arguments: [
    "", "18", "180", "18O4", "000018041", "38EB0000FC565CB4A0F2DAD299D5501D",
    "38EB0000-FC56-5CB4-A0F2-DAD299D5501", "38EB0000-FC56-5CB4-A0F2+DAD299D5501D",
  ])
  func refusesOtherText(_ text: String) {
    #expect(BluetoothUUID(text) == nil)
  }

  @Test func readsPacketOrder() {
    let bytes: [UInt8] = [
      0x1D, 0x50, 0xD5, 0x99, 0xD2, 0xDA, 0xF2, 0xA0, 0xB4, 0x5C, 0x56, 0xFC, 0x00, 0x00, 0xEB,
      0x38,
    ]
    #expect(
      BluetoothUUID(littleEndian: bytes.span, at: 0, width: 16)?.description
        == "38EB0000-FC56-5CB4-A0F2-DAD299D5501D")
    #expect(BluetoothUUID(littleEndian: bytes.span, at: 0, width: 2) == .bit16(0x501D))
    #expect(BluetoothUUID(littleEndian: bytes.span, at: 12, width: 4) == .bit32(0x38EB_0000))
    #expect(BluetoothUUID(littleEndian: bytes.span, at: 1, width: 16) == nil)
    #expect(BluetoothUUID(littleEndian: bytes.span, at: 0, width: 3) == nil)
  }

  @Test func knowsAssignedNumbersInEveryWidth() {
    #expect(BluetoothUUID("00001804-0000-1000-8000-00805F9B34FB")?.assigned16 == 0x1804)
    #expect(BluetoothUUID("00001804")?.assigned16 == 0x1804)
    #expect(BluetoothUUID("00011804")?.assigned16 == nil)
    #expect(BluetoothUUID("10001804-0000-1000-8000-00805F9B34FB")?.assigned16 == nil)
  }
}
