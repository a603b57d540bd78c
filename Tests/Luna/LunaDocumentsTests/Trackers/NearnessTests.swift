import Bluetooth
import Diagnosis
import LunaBuzzer
import LunaDocuments
import Testing

/// Why a tracker refuses a stranger, and what it advertises of its owner, never contradict each other.
struct NearnessTests {
  private static let refusal = BuzzerError(
    .notSeparated, "it obeys nobody but its owner now", remedy: "wait")

  private func report(_ payload: String) -> AdvertisingReport {
    AdvertisingReport(
      time: .unknown, adapter: nil, address: BluetoothAddress(value: 0xC0FF_EE00_0001),
      addressType: .random, payload: AdvertisingPayload(Hex.bytes(payload) ?? []), rssi: nil)
  }

  /// A DULT tracker, then an AirTag: the first near its owner, the second not.
  @Test(arguments: [
    ("0716b2fc0101aabb", BuzzerError.Kind.notSeparated, "its owner is near"),
    ("0716b2fc0100aabb", .refused, "it is separated"),
    ("1eff4c00121910" + String(repeating: "21", count: 24), .refused, "it is separated"),
  ])
  func theKindIsWhatIsAdvertised(_ payload: String, _ kind: BuzzerError.Kind, _ clause: String) {
    let error = Self.refusal.considering(report(payload))
    #expect(error.kind == kind)
    #expect(
      error.reason == "it obeys nobody but its owner now; it advertises that \(clause)")
    #expect((error.remedy == "wait") == (kind == .notSeparated))
  }

  @Test func staysAsItIsWhereNothingIsAdvertised() {
    #expect(Self.refusal.considering(nil) == Self.refusal)
    #expect(Self.refusal.considering(report("020106")) == Self.refusal)
    let other = BuzzerError(.noAnswer, "silence")
    #expect(other.considering(report("0716b2fc0100aabb")) == other)
  }
}
