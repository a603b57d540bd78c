import Testing

@testable import HTTPServer

@Suite struct ClientAddressTests {
  private let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 192, 0, 2, 7]

  private func address(_ network: UInt8, _ host: UInt8) -> ClientAddress {
    ClientAddress(
      [0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, network] + [UInt8](repeating: 0, count: 7) + [host])
  }

  @Test func isTheWholeAddressOfIPv4() {
    #expect(ClientAddress([192, 0, 2, 7]) != ClientAddress([192, 0, 2, 8]))
    #expect(ClientAddress([192, 0, 2, 7]) == ClientAddress(mapped))
  }

  @Test func isTheNetworkOfIPv6() {
    #expect(address(1, 1) == address(1, 2))
    #expect(address(1, 1) != address(2, 1))
    // ::/64 is not the IPv4 address 0.0.0.0.
    #expect(ClientAddress([UInt8](repeating: 0, count: 16)) != ClientAddress([0, 0, 0, 0]))
  }

  @Test(arguments: [
    ([192, 0, 2, 1], "192.0.2.1"), ([0, 0, 0, 1], "0.0.0.1"),
    ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 10, 0, 0, 255], "10.0.0.255"),
    ([0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 1, 9, 9, 9, 9, 9, 9, 9, 9], "2001:db8:0:1::/64"),
    ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], "0:0:0:0::/64"),
  ])
  func isShown(bytes: [UInt8], text: String) {
    #expect(ClientAddress(bytes).description == text)
  }
}
