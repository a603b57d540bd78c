import Testing
import UplinkProtocol

struct ConnectionPairTests {
  @Test func readsAndWrites() throws {
    let text = "010.000.002.015.48080-208.085.042.032.00080"
    let pair = try #require(ConnectionPair(text))
    #expect(pair.client.addressText == "010.000.002.015" && pair.client.port == 48080)
    #expect(pair.server.addressText == "208.085.042.032" && pair.server.portText == "00080")
    #expect(pair.description == text)
    #expect(pair.client == RecordedEndpoint(address: 0x0A00_020F, port: 48080))
    #expect(RecordedEndpoint(address: 1, port: 0) == nil)
  }

  /// As the recordings of Wehe's tests of ports have them.
  @Test(arguments: ["2001:db8:4980:c5e0:4c4f:4718:9ff2:adcb", "2001:db8::6811:164b", "::1", "::"])
  func readsAddressesOfVersion6(_ address: String) throws {
    let text = "2001:db8:4980:c5e0:4c4f:4718:9ff2:adcb.64221-\(address).00443"
    let pair = try #require(ConnectionPair(text))
    #expect(pair.server.addressText == address && pair.server.port == 443)
    #expect(pair.client.port == 64_221 && pair.description == text)
    #expect(RecordedEndpoint("\(address).00443") == pair.server)
  }

  @Test(arguments: [
    "", "-", "010.000.002.015.48080", "010.000.002.015.48080-208.085.042.032.00000",
    "010.000.002.015.48080-208.085.042.032.65536", "256.000.002.015.48080-208.085.042.032.00080",
    "10.0.2.15.48080-208.85.42.32.80", "010.000.002.015.48080_208.085.042.032.00080",
    "010.000.002.015.48080-208.085.042.032.0008٠", "0100.00.002.015.48080-208.085.042.032.00080",
    "010.000.002.015.4808.-208.085.042.032.00080", "010.000.002.015.48080-208.085.042-32.00080",
    "010.000.002.+15.48080-208.085.042.032.00080",
    "010.000.002.015.48080-208.085.042.032.00080\0", String(repeating: "-", count: 43),
    String(repeating: ":", count: 39) + ".00080-208.085.042.032.00080", "::g.00080-::1.00080",
    "::12345.00080-::1.00080", "::1.80-::1.00080", "::1.+0080-::1.00080", ":.00080-::1.00080",
    "1:2:3:4:5:6:7:8:9:a.00080-::1.00080", "::ffff:10.0.2.15.00080-::1.00080",
    "::1.00080-::1.00080-::1.00080",
  ])
  func refuses(_ text: String) {
    #expect(ConnectionPair(text) == nil)
  }
}
