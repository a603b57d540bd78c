import Bluetooth
import Testing

/// The lists of codes that have names are the codes that have names.
@Suite struct NamedCodesTests {
  @Test func ofAddressTypes() {
    let named = (0...0xFF).map { AddressType(rawValue: $0) }.filter { $0.name != nil }
    #expect(AddressType.named == named)
  }

  @Test func ofPhysicalLayers() {
    let named = (0...0xFF).map { PHY(rawValue: $0) }.filter { $0.name != nil }
    #expect(PHY.named == named)
  }
}
