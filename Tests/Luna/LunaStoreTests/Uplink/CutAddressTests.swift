import LunaStore
import Testing

/// Addresses of which a part is kept.
struct CutAddressTests {
  private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 203, 0, 113, 9]
  private static let long: [UInt8] = [
    0x20, 0x01, 0x0D, 0xB8, 0, 1, 0xAB, 0xCD, 1, 2, 3, 4, 5, 6, 7, 8,
  ]
  private static let short: [UInt8] =
    [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1]
  private static let loopback: [UInt8] = [UInt8](repeating: 0, count: 15) + [1]

  private static let addresses: [(bytes: [UInt8], text: String)] = [
    ([192, 0, 2, 77], "192.0.2.0/24"), (mapped, "203.0.113.0/24"), (long, "2001:db8:1::/48"),
    (short, "2001:db8::/48"), (loopback, "::/48"),
  ]

  @Test(arguments: addresses)
  func theRestIsGone(bytes: [UInt8], text: String) throws {
    let address = try #require(CutAddress(bytes))
    #expect(address.description == text)
    #expect(address.version == (text.contains(":") ? 6 : 4))
    var other = bytes
    other[other.count - 1] ^= 0xFF
    #expect(CutAddress(other) == address)
  }

  @Test func isReadAsPeopleWriteIt() {
    #expect(CutAddress(text: "192.0.2.77")?.description == "192.0.2.0/24")
    #expect(CutAddress(text: "2001:db8:1:abcd::8")?.description == "2001:db8:1::/48")
    #expect(CutAddress(text: "::ffff:203.0.113.9")?.description == "203.0.113.0/24")
    for text in ["", "192.0.2", "192.0.2.77/24", "luna.example", "2001:db8:::1"] {
      #expect(CutAddress(text: text) == nil)
    }
  }

  @Test(arguments: [0, 3, 5, 8, 15, 17])
  func otherBytesAreNone(count: Int) {
    #expect(CutAddress([UInt8](repeating: 1, count: count)) == nil)
  }
}
