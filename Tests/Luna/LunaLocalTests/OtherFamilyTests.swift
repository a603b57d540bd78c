import Bluetooth
import LunaCore
import LunaCrypto
import LunaLocal
import LunaProtocol
import LunaTesting
import Testing

/// Devices of other makers whose keys the owner has.
@Suite(.timeLimit(.minutes(10)))
struct OtherFamilyTests {
  let start: Int64 = 1_750_000_000_000

  private func secret(_ number: UInt64, _ count: Int) -> SecretBytes {
    var generator = Seeded(number)
    let bytes = (0..<count).map { $0 == 0 ? 1 : UInt8(truncatingIfNeeded: generator.next()) }
    return SecretBytes(copying: bytes.span)
  }

  private func device(_ keys: DeviceKeys) -> Device {
    Device(
      uuid: DeviceUUID(high: 2, low: 3), keys: keys,
      onboardingTimestamp: Timestamp(unixMilliseconds: start), name: "other")
  }

  private func findMyReport(_ key: [UInt8], nearby: Bool, _ time: Int64) -> AdvertisingReport {
    let address = key[..<6].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } | 0xC000_0000_0000
    let message: [UInt8] =
      nearby
      ? [0x12, 0x02, 0x10, key[0] >> 6] : [0x12, 0x19, 0x10] + key[6...] + [key[0] >> 6, 0]
    let data = [UInt8(message.count + 3), 0xFF, 0x4C, 0x00] + message
    return makeReport(data, BluetoothAddress(value: address), time)
  }

  @Test func findMyAccessoriesAreFollowedByPrimaryAndSecondaryKeys() throws {
    let keys = try #require(
      FindMyKeys(
        masterKey: secret(1, 28), primarySecret: secret(2, 32), secondarySecret: secret(3, 32)))
    let follower = try TrackerFollower([device(.appleFindMy(keys))])
    var deriver = try FindMyKeyDeriver()
    func primary(_ index: UInt32) throws -> [UInt8] {
      try deriver.publicKey(
        masterKey: keys.masterKey, secret: deriver.advance(keys.primarySecret, by: index))
    }
    let time = start + 5 * 900_000 + 100_000
    let first = try #require(
      follower.hear(findMyReport(try primary(5), nearby: true, time)).first)
    #expect(first.event == .appeared && first.state.period == 5 && first.drift == 0)
    #expect(first.state.eid?.count == 56)
    let next = try #require(
      follower.hear(findMyReport(try primary(6), nearby: false, time + 900_000)).last)
    #expect(next.event == .appeared || next.event == .rotated)
    #expect(next.state.period == 6)
    let daily = try deriver.publicKey(
      masterKey: keys.masterKey, secret: deriver.advance(keys.secondarySecret, by: 1))
    let separated = try #require(
      follower.hear(findMyReport(daily, nearby: false, time + 910_000)).last)
    #expect(separated.event == .rotated && separated.state.uuid != nil)
    // Slow derivations are handed out to be stored, and taken back.
    let derivations = try #require(follower.takeNews()).derivations
    #expect(!derivations.isEmpty)
    let again = try TrackerFollower([device(.appleFindMy(keys))])
    for (key, bytes) in derivations { again.addDerivations(bytes, for: key) }
    #expect(again.hear(findMyReport(try primary(6), nearby: false, time + 900_000)).count == 1)
    #expect(again.takeDerivations().isEmpty)
  }

  @Test func anAccessoryWithAnotherIndexIsFoundByTheWideSearch() throws {
    let keys = try #require(
      FindMyKeys(
        masterKey: secret(1, 28), primarySecret: secret(2, 32), secondarySecret: secret(3, 32)))
    let follower = try TrackerFollower([device(.appleFindMy(keys))])
    var deriver = try FindMyKeyDeriver()
    let key = try deriver.publicKey(
      masterKey: keys.masterKey, secret: deriver.advance(keys.primarySecret, by: 40))
    // It slept for two days.
    let time = start + 232 * 900_000
    var updates: [LocalUpdate] = []
    for step in 0..<10 {
      updates += follower.hear(findMyReport(key, nearby: false, time + Int64(step) * 1000))
    }
    let update = try #require(updates.last)
    #expect(update.state.period == 40 && update.state.isProvisional)
  }

  /// Paired long ago, and slower than it may be: only the alignment says where it is.
  @Test func anAlignedAccessoryIsFoundAtOnce() throws {
    let seen = start + 400 * 86_400_000
    let alignment = FindMyKeys.Alignment(time: Timestamp(unixMilliseconds: seen), index: 30_000)
    let keys = try #require(
      FindMyKeys(
        masterKey: secret(1, 28), primarySecret: secret(2, 32), secondarySecret: secret(3, 32),
        alignment: alignment))
    let follower = try TrackerFollower([device(.appleFindMy(keys))])
    var deriver = try FindMyKeyDeriver()
    let key = try deriver.publicKey(
      masterKey: keys.masterKey, secret: deriver.advance(keys.primarySecret, by: 30_004))
    let updates = follower.hear(findMyReport(key, nearby: false, seen + 4 * 900_000 + 60_000))
    let update = try #require(updates.last)
    #expect(update.state.period == 30_004 && !update.state.isProvisional)
    // The 38,404 changes since pairing were not gone through: two chunks, and those of two days.
    #expect(follower.takeDerivations().count <= 4)
  }

  /// The private key of a home-made tag, and what it sends; made with the package cryptography of
  /// Python.
  private func fixedKey() throws -> (keys: DeviceKeys, publicKey: [UInt8]) {
    let bytes = try #require(
      Hex.bytes("afc4ebef12c7c96c90df0817ff2fb69f3abad1739ef32f8122fb533c"))
    let key = try #require(FindMyKey(SecretBytes(copying: bytes.span)))
    let publicKey = try #require(
      Hex.bytes("774875c10c8da7fa0b23ac54afa94ef8913f48b86e0d5d56266114c3"))
    return (.appleFindMyKey(key), publicKey)
  }

  @Test(arguments: [false, true]) func aTagWithAFixedKeyIsFollowed(nearby: Bool) throws {
    let (keys, publicKey) = try fixedKey()
    let follower = try TrackerFollower([device(keys)])
    let first = try #require(
      follower.hear(findMyReport(publicKey, nearby: nearby, start + 1000)).first)
    #expect(first.event == .appeared && first.state.uuid == device(keys).uuid)
    #expect(first.state.kind == .appleFindMyKey)
    #expect(first.state.eid == Hex.lower(publicKey.span))
    #expect(first.state.clock == nil && first.state.period == nil && first.drift == nil)
    let second = try #require(
      follower.hear(findMyReport(publicKey, nearby: nearby, start + 2000)).first)
    #expect(second.event == .seen)
    // However long it was silent, the key is the same.
    let tomorrow = follower.hear(findMyReport(publicKey, nearby: nearby, start + 86_400_000))
    #expect(tomorrow.last?.event == .appeared)
    #expect(tomorrow.last?.state.uuid != nil && tomorrow.last?.state.isProvisional == false)
    #expect(tomorrow.last?.state.timestampedEids.count == 1)
    #expect(follower.devices.count == 1)
    #expect(follower.takeClocks().isEmpty)
  }

  /// Before it was onboarded, and years after it.
  @Test(arguments: [Int64(-400), 0, 4000]) func aFixedKeyKnowsNoTime(days: Int64) throws {
    let (keys, publicKey) = try fixedKey()
    let follower = try TrackerFollower([device(keys)])
    let time = start + days * 86_400_000
    #expect(follower.hear(findMyReport(publicKey, nearby: false, time)).count == 1)
  }

  @Test func anotherKeyIsNotThatOfATag() throws {
    let (keys, publicKey) = try fixedKey()
    let follower = try TrackerFollower([device(keys)])
    // One at another address, one at the same, and one that differs in the bits that no address has.
    for (index, bit) in [(5, UInt8(0x01)), (27, 0x01), (0, 0x80)] {
      var other = publicKey
      other[index] ^= bit
      #expect(follower.hear(findMyReport(other, nearby: false, start + Int64(index))).isEmpty)
    }
    var other = publicKey
    other[1] ^= 1
    #expect(follower.hear(findMyReport(other, nearby: true, start + 100)).isEmpty)
    #expect(follower.hear(findMyReport(publicKey, nearby: true, start + 200)).count == 1)
  }

  @Test func aFixedKeyIsDerivedOnce() throws {
    let (keys, publicKey) = try fixedKey()
    let follower = try TrackerFollower([device(keys)])
    for step in 0..<3 {
      _ = follower.hear(findMyReport(publicKey, nearby: false, start + Int64(step) * 1_000_000))
    }
    let derivations = follower.takeDerivations()
    #expect(derivations.count == 1)
    let again = try TrackerFollower([device(keys)])
    let wanted = again.wantedDerivations(at: Timestamp(unixMilliseconds: start + 5_000_000))
    #expect(Set(wanted) == Set(derivations.keys))
    for (key, bytes) in derivations { again.addDerivations(bytes, for: key) }
    #expect(again.hear(findMyReport(publicKey, nearby: false, start + 5_000_000)).count == 1)
    #expect(again.takeDerivations().isEmpty)
  }

  /// Beside a tag whose key is fixed, accessories are searched for as ever.
  @Test func anAccessoryIsFollowedBesideAFixedKey() throws {
    let (fixed, publicKey) = try fixedKey()
    let keys = try #require(
      FindMyKeys(
        masterKey: secret(1, 28), primarySecret: secret(2, 32), secondarySecret: secret(3, 32)))
    let accessory = Device(
      uuid: DeviceUUID(high: 2, low: 4), keys: .appleFindMy(keys),
      onboardingTimestamp: Timestamp(unixMilliseconds: start), name: "accessory")
    let follower = try TrackerFollower([device(fixed), accessory])
    var deriver = try FindMyKeyDeriver()
    let key = try deriver.publicKey(
      masterKey: keys.masterKey, secret: deriver.advance(keys.primarySecret, by: 3))
    let time = start + 3 * 900_000 + 100_000
    let one = try #require(follower.hear(findMyReport(key, nearby: false, time)).first)
    #expect(one.state.uuid == accessory.uuid && one.state.period == 3)
    let other = try #require(
      follower.hear(findMyReport(publicKey, nearby: false, time + 1000)).first)
    #expect(other.state.uuid == device(fixed).uuid)
  }

  @Test(arguments: FindHubEIDDeriver.Curve.allCases)
  func findHubTrackersAreFollowed(curve: FindHubEIDDeriver.Curve) throws {
    let keys = try #require(
      FindHubKeys(identityKey: secret(4, 32), counter: 5000, curve: curve))
    let follower = try TrackerFollower([device(.googleFindHub(keys))])
    var deriver = try FindHubEIDDeriver(curve)
    for step in 0..<4 {
      let time = start + Int64(step) * 1_024_000 + 300_000
      let rotation = UInt32((5000 + (time - start) / 1000) / 1024)
      let eid = try deriver.eid(keys.identityKey, rotation: rotation)
      let length = UInt8(eid.count + 5)
      let data = [0x02, 0x01, 0x06, length, 0x16, 0xAA, 0xFE, 0x40] + eid + [0x80]
      let update = try #require(
        follower.hear(
          makeReport(data, BluetoothAddress(value: UInt64(step) | 0xC000_0000_0000), time)
        )
        .last)
      #expect(update.state.uuid != nil && update.state.period == rotation && update.drift == 0)
      #expect(update.state.eid == Hex.lower(eid.span))
    }
    #expect(follower.devices.count == 1)
  }

  @Test func eddystoneBeaconsAreFollowed() throws {
    let keys = try #require(
      EddystoneKeys(identityKey: secret(5, 16), exponent: 9, counter: 70_000))
    let follower = try TrackerFollower([device(.eddystoneEID(keys))])
    var deriver = try EddystoneEIDDeriver()
    for step in 0..<6 {
      let time = start + Int64(step) * 512_000 + 400_000
      let clock = UInt32(70_000 + (time - start) / 1000)
      let eid = try deriver.eid(keys.identityKey, counter: clock, exponent: 9)
      let data =
        [0x02, 0x01, 0x06, 0x03, 0x03, 0xAA, 0xFE, 0x0D, 0x16, 0xAA, 0xFE, 0x30, 0xEE]
        + eid.bytes.indices.map { eid.bytes[$0] }
      let update = try #require(
        follower.hear(
          makeReport(data, BluetoothAddress(value: UInt64(step) | 0xC000_0000_0000), time)
        )
        .last)
      #expect(update.state.uuid != nil && update.state.period == clock / 512)
    }
  }

  @Test func resolvableAddressesAreFollowed() throws {
    let bytes = try #require(Hex.bytes("ec0234a357c8ad05341010a60a397d9b"))
    let key = try #require(IdentityResolvingKey(SecretBytes(copying: bytes.span)))
    let follower = try TrackerFollower([device(.resolvableAddress(key))])
    let own = try #require(BluetoothAddress("70:81:94:0D:FB:AA"))
    let other = try #require(BluetoothAddress("70:81:94:0D:FB:AB"))
    let data: [UInt8] = [0x02, 0x01, 0x06]
    #expect(follower.hear(makeReport(data, other, start)).isEmpty)
    let update = try #require(follower.hear(makeReport(data, own, start)).first)
    #expect(update.event == .appeared && update.state.clock == nil)
    #expect(update.device.identifier == "70:81:94:0D:FB:AA")
    #expect(follower.hear(makeReport(data, own, start, type: .public)).isEmpty)
  }
}
