import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol
import Testing

struct DeviceTests {
  @Test func hidesItsKeys() {
    let device = Device(
      uuid: Samples.uuid(1), masterKey: MasterKey(bytes: InlineArray(repeating: 0xAB)),
      onboardingTimestamp: Timestamp(microseconds: 0), name: "keys")
    var dumped = ""
    dump(device, to: &dumped)
    for text in [dumped, "\(device)", String(reflecting: device), "\(device.keys)"] {
      #expect(!text.lowercased().contains("abab"))
      #expect(!text.contains("171"))
    }
  }

  @Test func countsOnboardingInSeconds() {
    #expect(Samples.device(1).onboardingSeconds == 1_700_000_000)
    let early = Device(
      uuid: Samples.uuid(1), masterKey: MasterKey(bytes: InlineArray(repeating: 1)),
      onboardingTimestamp: Timestamp(microseconds: -5), name: "")
    #expect(early.onboardingSeconds == 0)
  }

  @Test func refusesKeysOfAnotherLength() {
    let (short, long) = (Samples.secret(16), Samples.secret(32))
    #expect(EddystoneKeys(identityKey: long, exponent: 10, counter: 0) == nil)
    #expect(EddystoneKeys(identityKey: short, exponent: 16, counter: 0) == nil)
    #expect(EddystoneKeys(identityKey: short, exponent: 15, counter: 0) != nil)
    #expect(FindHubKeys(identityKey: short, counter: 0) == nil)
    #expect(FindHubKeys(identityKey: long, counter: 0) != nil)
    #expect(IdentityResolvingKey(long) == nil)
    #expect(IdentityResolvingKey(short) != nil)
    #expect(FindMyKeys(masterKey: long, primarySecret: long, secondarySecret: long) == nil)
    let master = Samples.secret(28)
    #expect(FindMyKeys(masterKey: master, primarySecret: long, secondarySecret: long) != nil)
    #expect(FindMyKeys(masterKey: master, primarySecret: short, secondarySecret: long) == nil)
  }

  @Test func knowsTheSameIdentity() throws {
    let key = Samples.secret(16)
    let beacon = try #require(EddystoneKeys(identityKey: key, exponent: 10, counter: 0))
    let later = try #require(EddystoneKeys(identityKey: key, exponent: 10, counter: 9))
    let resolving = try #require(IdentityResolvingKey(key))
    #expect(DeviceKeys.eddystoneEID(beacon).hasSameIdentity(as: .eddystoneEID(later)))
    #expect(!DeviceKeys.eddystoneEID(beacon).hasSameIdentity(as: .resolvableAddress(resolving)))
  }

  @Test(arguments: [(Int64.min, Int64.min + 1), (.max, .max), (-1, -1000), (1234, 1_234_000)])
  func convertsMilliseconds(milliseconds: Int64, microseconds: Int64) {
    #expect(Timestamp(unixMilliseconds: milliseconds).microseconds == microseconds)
  }

  @Test func roundsMillisecondsDown() {
    #expect(Timestamp(microseconds: -1).unixMilliseconds == -1)
    #expect(Timestamp(microseconds: 1999).unixMilliseconds == 1)
  }
}
