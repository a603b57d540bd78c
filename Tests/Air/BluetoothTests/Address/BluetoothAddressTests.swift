import Testing

@testable import Bluetooth

@Suite struct BluetoothAddressTests {
  @Test func readsAndPrintsText() {
    #expect(BluetoothAddress("c0:ff:EE:00:00:01")?.description == "C0:FF:EE:00:00:01")
    #expect(BluetoothAddress("C0-FF-EE-00-00-01")?.value == 0xC0FF_EE00_0001)
  }

  @Test(arguments: [
    "", "C0:FF:EE:00:00", "C0:FF:EE:00:00:01:02", "C0FFEE000001", "C0:FF:EE:00:00:0G",
    "C0:FF:EE:00:00:0", ":0:FF:EE:00:00:01", "C0:FF:EE:00:00:01 ",
  ])
  func refusesOtherText(_ text: String) {
    #expect(BluetoothAddress(text) == nil)
  }

  @Test func readsPacketOrder() {
    let bytes: [UInt8] = [0xAA, 0x01, 0x00, 0x00, 0xEE, 0xFF, 0xC0]
    #expect(BluetoothAddress(littleEndian: bytes.span, at: 1)?.description == "C0:FF:EE:00:00:01")
    #expect(BluetoothAddress(littleEndian: bytes.span, at: 2) == nil)
    #expect(BluetoothAddress(littleEndian: bytes.span, at: -1) == nil)
    #expect(
      BluetoothAddress(littleEndian: bytes.span, at: 1)?.littleEndianBytes == Array(bytes[1...]))
  }

  @Test(arguments: [
    ("C0:00:00:00:00:00", RandomAddressKind.static), ("FF:00:00:00:00:00", .static),
    ("40:00:00:00:00:00", .resolvable), ("7F:00:00:00:00:00", .resolvable),
    ("00:00:00:00:00:01", .nonResolvable), ("3F:00:00:00:00:00", .nonResolvable),
  ])
  func tellsTheKindOfRandomAddresses(_ text: String, _ kind: RandomAddressKind) {
    #expect(BluetoothAddress(text)?.randomKind == kind)
  }

  @Test func hasNoKindForReservedTopBits() {
    #expect(BluetoothAddress("80:00:00:00:00:00")?.randomKind == nil)
  }
}
