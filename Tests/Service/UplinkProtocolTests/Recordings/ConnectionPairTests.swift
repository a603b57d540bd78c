import Testing
import UplinkProtocol

struct ConnectionPairTests {
  @Test func readsAndWrites() throws {
    let text = "010.000.002.015.48080-208.085.042.032.00080"
    let pair = try #require(ConnectionPair(text))
    #expect(pair.client.address == 0x0A00_020F && pair.client.port == 48080)
    #expect(pair.server.addressText == "208.085.042.032" && pair.server.portText == "00080")
    #expect(pair.description == text)
    #expect(RecordedEndpoint(address: 1, port: 0) == nil)
  }

  @Test(arguments: [
    "", "-", "010.000.002.015.48080", "010.000.002.015.48080-208.085.042.032.00000",
    "010.000.002.015.48080-208.085.042.032.65536", "256.000.002.015.48080-208.085.042.032.00080",
    "10.0.2.15.48080-208.85.42.32.80", "010.000.002.015.48080_208.085.042.032.00080",
    "010.000.002.015.48080-208.085.042.032.0008٠", "0100.00.002.015.48080-208.085.042.032.00080",
    "010.000.002.015.4808.-208.085.042.032.00080", "010.000.002.015.48080-208.085.042-32.00080",
    "010.000.002.+15.48080-208.085.042.032.00080",
    "010.000.002.015.48080-208.085.042.032.00080\0", String(repeating: "-", count: 43),
  ])
  func refuses(_ text: String) {
    #expect(ConnectionPair(text) == nil)
  }
}
