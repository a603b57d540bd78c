import Bluetooth
import Diagnosis
import Glibc
import LunaCore
import LunaCrypto
import LunaLocal
import LunaProtocol
import Testing

/// What a store or an importer of an older version took in may say anything: nothing traps, and no
/// call takes long.
@Suite(.timeLimit(.minutes(10)))
struct StrangeStateTests {
  private static let now: Int64 = 1_750_000_000_000
  private static let strangeTimes: [Int64] = [
    .min, .min + 1, -(1 << 62), -1, 0, 253_402_300_799_000_000, 1 << 62, .max,
  ]

  private static func secret(_ count: Int) -> SecretBytes {
    SecretBytes(copying: [UInt8](repeating: 5, count: count).span)
  }

  private static func findMy(_ alignment: FindMyKeys.Alignment? = nil) -> DeviceKeys? {
    FindMyKeys(
      masterKey: secret(28), primarySecret: secret(32), secondarySecret: secret(32),
      alignment: alignment
    ).map { .appleFindMy($0) }
  }

  private static func allKeys(_ time: Int64) -> [DeviceKeys] {
    [
      .luna(MasterKey(bytes: InlineArray(repeating: 1))), findMy(),
      findMy(FindMyKeys.Alignment(time: Timestamp(microseconds: time), index: .max)),
      findMy(FindMyKeys.Alignment(time: Timestamp(microseconds: time), index: 0)),
      EddystoneKeys(identityKey: secret(16), exponent: 0, counter: .max).map { .eddystoneEID($0) },
      EddystoneKeys(identityKey: secret(16), exponent: 15, counter: 0).map { .eddystoneEID($0) },
      FindHubKeys(identityKey: secret(32), counter: .max).map { .googleFindHub($0) },
      FindHubKeys(identityKey: secret(32), counter: 0, curve: .secp256r1)
        .map { .googleFindHub($0) },
      IdentityResolvingKey(secret(16)).map { .resolvableAddress($0) },
      FindMyKey(secret(28)).map { .appleFindMyKey($0) },
    ].compactMap { $0 }
  }

  /// What this thread has computed, s: what others do meanwhile is no part of it.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func report(_ bytes: [UInt8], _ number: Int) -> AdvertisingReport {
    makeReport(
      bytes, BluetoothAddress(value: 0xC0FF_EE00_0000 + UInt64(number)), now + Int64(number))
  }

  /// Reports of each family, from strangers: they make the follower search.
  private static let strangers: [[UInt8]] = [
    // Find My, separated; Find Hub; Eddystone-EID
    [0x1E, 0xFF, 0x4C, 0x00, 0x12, 0x19, 0x00] + [UInt8](repeating: 9, count: 24),
    [0x02, 0x01, 0x06, 0x19, 0x16, 0xAA, 0xFE, 0x40] + [UInt8](repeating: 9, count: 22),
    [0x02, 0x01, 0x06, 0x0D, 0x16, 0xAA, 0xFE, 0x30, 0x00, 1, 2, 3, 4, 5, 6, 7, 8],
  ]

  @Test(arguments: strangeTimes) func followsWhateverIsStored(_ time: Int64) throws {
    let devices = Self.allKeys(time).enumerated().map { number, keys in
      Device(
        uuid: DeviceUUID(high: 3, low: UInt64(number)), keys: keys,
        onboardingTimestamp: Timestamp(microseconds: time), name: "strange")
    }
    let follower = try TrackerFollower(devices)
    _ = follower.wantedDerivations(at: Timestamp(unixMilliseconds: Self.now))
    var longest = 0.0
    for number in 0..<30 {
      let began = Self.processorTime
      _ = follower.hear(Self.report(Self.strangers[number % 3], number))
      follower.deriveMeanwhile()
      longest = max(longest, Self.processorTime - began)
    }
    // Without the optimiser.
    #expect(longest < 20)
  }

  @Test(arguments: [
    ClockInterval(low: .min, high: .max, time: .min),
    ClockInterval(low: .max, high: .min, time: .max),
    ClockInterval(low: .max, high: .max, time: .max),
    ClockInterval(low: .min, high: .min, time: .min),
    ClockInterval(low: 1, high: -1, time: now),
  ])
  func goesOnWithWhateverClockIsStored(_ interval: ClockInterval) throws {
    let devices = Self.allKeys(Self.now * 1000).enumerated().map { number, keys in
      Device(
        uuid: DeviceUUID(high: 3, low: UInt64(number)), keys: keys,
        onboardingTimestamp: Timestamp(unixMilliseconds: Self.now - 86_400_000), name: "strange")
    }
    let track = ProvisionalTrack(interval: interval, lastPeriod: .max, distinctPeriods: .max - 1)
    for provisional in [nil, track] {
      let follower = try TrackerFollower(devices)
      follower.restore(
        Dictionary(
          uniqueKeysWithValues: devices.map {
            ($0.uuid, ClockState(interval: interval, provisional: provisional))
          }))
      _ = follower.wantedDerivations(at: Timestamp(unixMilliseconds: Self.now))
      for number in 0..<6 { _ = follower.hear(Self.report(Self.strangers[number % 3], number)) }
      follower.ownerClockStepped(by: .seconds(Int64.max / 4))
      _ = follower.hear(Self.report(Self.strangers[0], 7))
      _ = follower.takeProblems().map(\.description)
    }
  }

  /// The secrets of an accessory that was paired long ago are gone through piece by piece, and it is
  /// followed in the end.
  @Test func findsAnAccessoryOfOldWithoutHaste() throws {
    let years: Int64 = 30 * 365 * 86_400_000
    let keys = try present(Self.findMy())
    let device = Device(
      uuid: DeviceUUID(high: 3, low: 1), keys: keys,
      onboardingTimestamp: Timestamp(unixMilliseconds: Self.now - years), name: "old")
    guard case .appleFindMy(let findMy) = keys else {
      Issue.record("other keys")
      return
    }
    var deriver = try FindMyKeyDeriver()
    let secret = deriver.advance(findMy.primarySecret, by: UInt32(years / 900_000))
    let key = try deriver.publicKey(masterKey: findMy.masterKey, secret: secret)
    let address = key[..<6].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } | 0xC000_0000_0000
    let follower = try TrackerFollower([device])
    let bytes = [0x1E, 0xFF, 0x4C, 0x00, 0x12, 0x19, 0x00] + Array(key[6...]) + [key[0] >> 6, 0]
    var calls = 0
    var isFound = false
    while !isFound, calls < 40 {
      isFound = follower.hear(
        makeReport(bytes, BluetoothAddress(value: address), Self.now + Int64(calls))
      ).contains { $0.state.uuid == device.uuid }
      follower.deriveMeanwhile()
      calls += 1
    }
    #expect(isFound)
    #expect(calls > 1)
  }
}
