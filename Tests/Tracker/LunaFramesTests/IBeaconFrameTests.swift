import Bluetooth
import LunaFrames
import Testing

struct IBeaconFrameTests {
  static let anchor = "0201061aff4c00021545035880a27f5eb2965fde0bb7f471a6a0986711c5"

  private func decode(_ text: String) throws(IBeaconFrameRejection) -> IBeaconFrame {
    let bytes = Hex.bytes(text) ?? []
    return try IBeaconFrame(advertisingData: bytes.span)
  }

  @Test func anchorBothWays() throws {
    let frame = IBeaconFrame(region: IBeaconFrame.defaultRegions[0], heidPrefix: 0xA098_6711)
    #expect(Hex.lower(frame.encoded.span) == Self.anchor)
    #expect(try decode(Self.anchor) == frame)
  }

  @Test func defaultRegionsAreThoseOfTheProtocol() {
    #expect(
      IBeaconFrame.defaultRegions.map { "\($0)".lowercased() } == [
        "45035880-a27f-5eb2-965f-de0bb7f471a6", "18569f30-81a7-5874-ae31-172c33bff7c3",
        "4412aed3-23c4-5022-9405-64e8c0cd9ef1",
      ])
  }

  @Test(
    arguments: [
      ("", .notIBeacon),
      (String(anchor.dropLast(2)), .malformed),
      ("05ff4c000215", .badLength),
      ("1aff4d00021545035880a27f5eb2965fde0bb7f471a6a0986711c5", .notIBeacon),
      ("1aff4c000215c5035880a27f5eb2965fde0bb7f471a6a0986711c5", .foreignRegion),
    ] as [(String, IBeaconFrameRejection)])
  func firstFailingTestIsNamed(text: String, rejection: IBeaconFrameRejection) {
    #expect(throws: rejection) { try decode(text) }
  }
}
