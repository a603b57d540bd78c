public import LunaProtocol
public import TrackerMachine

/// Keys, codes and records of trackers for tests.
public enum TrackerSamples {
  /// 00 01 02 … 1F.
  public static let masterKey = MasterKey(bytes: InlineArray { UInt8($0) })
  /// 1,700,000,123 s: the anchor of PROTOCOL.md, 18, in period 1,660,156.
  public static let time: UInt32 = 1_700_000_123

  /// The code of PROTOCOL.md, 18.
  public static func code() -> OnboardingCode {
    guard let code = try? OnboardingCode(text: "LUNA1:0024H36H2NCSVRH6DAQF6DVVQZW") else {
      fatalError("the code of PROTOCOL.md, 18, does not parse")
    }
    return code
  }

  /// A tracker that nobody owns.
  public static func factory() -> TrackerRecord { TrackerRecord(code: code()) }

  /// A tracker that was onboarded then.
  public static func keyed(at time: UInt32 = time) -> TrackerRecord {
    TrackerRecord(
      code: code(),
      ownership: TrackerRecord.Ownership(
        uuid: DeviceUUID(high: 0x1122_3344_5566_4788, low: 0x99AA_BBCC_DDEE_FF00),
        masterKey: masterKey, onboardingTimestamp: time))
  }
}
