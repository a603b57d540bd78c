import Bluetooth
import LunaCore
import LunaDocuments
import LunaProtocol
import Testing

@testable import LunaTables

@Suite struct DeviceDetailsTests {
  @Test func saysWhatIsKnown() throws {
    let key = MasterKey(bytes: InlineArray(repeating: 7))
    let device = Device(
      uuid: try #require(DeviceUUID("0F14A7C4-98C3-4D5C-9F0E-2D2A6B1C3E4F")), masterKey: key,
      onboardingTimestamp: Timestamp(microseconds: 0), name: "Keys")
    let lines = DeviceDocument(device: device).details(ClockText(UTCZone()))
    #expect(lines.contains("Name             Keys"))
    #expect(lines.contains("Last seen (UTC)  never"))
    #expect(!lines.contains { $0.hasPrefix("RSSI") || $0.hasPrefix("Onboarded") })
    #expect(!lines.contains { $0.hasPrefix("masterKey") })
  }

  @Test func showsTheKeysWhereAsked() throws {
    let device = Device(
      uuid: try #require(DeviceUUID("0F14A7C4-98C3-4D5C-9F0E-2D2A6B1C3E4F")),
      masterKey: MasterKey(bytes: InlineArray(repeating: 7)),
      onboardingTimestamp: Timestamp(microseconds: 0), name: "Keys")
    let lines = DeviceDocument(device: device).details(ClockText(UTCZone()), revealing: true)
    #expect(lines.last == "masterKey        " + String(repeating: "07", count: 32))
  }

  /// The identifier, which people copy, is never torn.
  @Test func fitsANarrowTerminal() throws {
    let device = Device(
      uuid: try #require(DeviceUUID("0F14A7C4-98C3-4D5C-9F0E-2D2A6B1C3E4F")),
      masterKey: MasterKey(bytes: InlineArray(repeating: 7)),
      onboardingTimestamp: Timestamp(microseconds: 0), name: "Keys")
    let lines = DeviceDocument(device: device).details(ClockText(UTCZone()), width: 40)
    #expect(lines.allSatisfy { $0.count <= 40 }, "\(lines)")
    #expect(lines.contains("Name             Keys"))
    let line = try #require(lines.firstIndex(of: "Device"))
    #expect(lines[line + 1] == "  0F14A7C4-98C3-4D5C-9F0E-2D2A6B1C3E4F")
  }
}
