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
    // LE Coded has two codes, of which one says more.
    #expect(PHY.named + [PHY(rawValue: 4)] == named)
    #expect(Set(named.compactMap { $0.name.map(\.description) }) == ["1M", "2M", "Coded"])
  }
}
