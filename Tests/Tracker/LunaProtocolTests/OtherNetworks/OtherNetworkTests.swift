import Bluetooth
import LunaCrypto
import LunaProtocol
import Testing

/// Identifiers of other networks, against implementations by others.
struct OtherNetworkTests {
  private func secret(_ text: String) throws -> SecretBytes {
    let bytes = try #require(Hex.bytes(text))
    return SecretBytes(copying: bytes.span)
  }

  // Made with FindMy.py 0.10.2: `_primary_gen[i]` and `_secondary_gen[i]`, adv_key_bytes.
  @Test(arguments: [
    (false, UInt32(0), "33aec09e7705a2b57be5de27fb3df53ab9bd2ce62301f9139771700c"),
    (false, 1, "420e61672719e5fb3ccb5ccc2cde3924b2e5e7f7963f1539251c3637"),
    (false, 96, "61076fe2b55e7295b7b6c69efcde2d9609e4bd9ba6184b47a821895a"),
    (false, 1000, "995c662681fa0db479c32e2d29e4749d181b0b5b2b607adb3bc46772"),
    (true, 0, "a36dae5257134da345b9beb573f10ede31a714e098cfaed051ca4c84"),
    (true, 11, "f81a5940fb2bc8b43444cb0f530c5ea662c98518cc100fefbbefe8b3"),
  ])
  func findMyKeys(_ isSecondary: Bool, _ index: UInt32, _ expected: String) throws {
    var deriver = try FindMyKeyDeriver()
    let first = try secret(
      isSecondary
        ? "6557b92f083711a02026deac3582341ff3e1b232db34252c936ac28131132bed"
        : "5688e1e5be9b2bc65f7cbb924881f13b788ee8a3d486824db71d489eec4a2b00")
    let master = try secret("0d6736a7bd268c8a0e74ed0d1c04a959f59dd74ef2874983fd443fc9")
    let key = try deriver.publicKey(
      masterKey: master, secret: deriver.advance(first, by: index))
    #expect(Hex.lower(key.span) == expected)
  }

  // Made with the package cryptography of Python: the x coordinate of
  // `ec.derive_private_key(d, ec.SECP224R1())`.
  @Test(arguments: [
    (
      "00000000000000000000000000000000000000000000000000000001",
      "b70e0cbd6bb4bf7f321390b94a03c1d356c21122343280d6115c1d21"
    ),
    (
      "0864897549805e4b74b9af202dfc5ab8875e3c222dfa12d7f08bc37c",
      "98d0e5e3186f52946af95470da6110a9eab73a4605e891343a49824f"
    ),
    (
      "afc4ebef12c7c96c90df0817ff2fb69f3abad1739ef32f8122fb533c",
      "774875c10c8da7fa0b23ac54afa94ef8913f48b86e0d5d56266114c3"
    ),
  ])
  func fixedFindMyKeys(_ privateKey: String, _ expected: String) throws {
    var deriver = try FindMyKeyDeriver()
    let key = try deriver.publicKey(of: secret(privateKey))
    #expect(Hex.lower(key.span) == expected)
  }

  @Test func noFindMyKeyOfZero() throws {
    var deriver = try FindMyKeyDeriver()
    let zero = try secret(String(repeating: "00", count: 28))
    let key = try? deriver.publicKey(of: zero)
    #expect(key == nil)
  }

  // The value for 1,700,000,000 s is the one that firmware and tools check themselves with; the others
  // were made with python-ecdsa.
  @Test(arguments: [
    (UInt32(0), "e6cec9ca5505f86e82781bcbe75984acb3ce5e03"),
    (1, "3a19ac7db9a3a9140c0faceae210ec57a127fb31"),
    (1_660_156, "6f3bcc7d38665e6cadf7ca48e9ce6d3ea3942d83"),
    (4_194_303, "d0875fc34ce1d99baf8e3d4ae56c043641a8c667"),
  ])
  func findHubIdentifiers(_ rotation: UInt32, _ expected: String) throws {
    var deriver = try FindHubEIDDeriver()
    let key = try secret("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
    let eid = try deriver.eid(key, rotation: rotation)
    #expect(Hex.lower(eid.span) == expected)
  }

  // Made with affine arithmetic on P-256 in Python, and AES of the openssl command.
  @Test(arguments: [
    (UInt32(0), "dea9f1d6a0809711fff101e92b8a2228335050c5b048598e2f7cfd0f0483ba73"),
    (1, "8f119ff8403f62d8274a06cfe42b1c9ef477c5a0779b28e7b84c6e7358fff0eb"),
    (1_660_156, "9900f24ac29ca056d33998fdd8d95485c732abba8e2a048fc0b55ab994df7766"),
    (4_194_303, "aa05dc5dc7aae3759fe75b11a79d50b5cd56ee56c6e94c01beace0bdd8847307"),
  ])
  func longFindHubIdentifiers(_ rotation: UInt32, _ expected: String) throws {
    var deriver = try FindHubEIDDeriver(.secp256r1)
    let key = try secret("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
    let eid = try deriver.eid(key, rotation: rotation)
    #expect(Hex.lower(eid.span) == expected)
    #expect(eid.count == FindHubEIDDeriver.Curve.secp256r1.byteCount)
  }

  @Test func wrongKeyLengthsAreErrors() throws {
    var hub = try FindHubEIDDeriver()
    var findMy = try FindMyKeyDeriver()
    let short = try secret("0011")
    let eid = try? hub.eid(short, rotation: 0)
    #expect(eid == nil)
    let key = try? findMy.publicKey(masterKey: short, secret: short)
    #expect(key == nil)
  }

  // The first is the sample of the Core Specification, Vol 3, Part H, D.7 (ah), the second one of a
  // maker's manual (EnOcean EMDCB, C.3).
  @Test(arguments: [
    ("ec0234a357c8ad05341010a60a397d9b", "70:81:94:0D:FB:AA"),
    ("be759a027a4870fd242794f4c45220fb", "49:39:70:E5:19:44"),
  ])
  func resolvableAddresses(_ key: String, _ text: String) throws {
    var resolver = try AddressResolver()
    let key = try secret(key)
    let address = try #require(BluetoothAddress(text))
    let own = try resolver.resolves(address, key: key)
    let altered = try resolver.resolves(BluetoothAddress(value: address.value ^ 1), key: key)
    let other = try resolver.resolves(
      BluetoothAddress(value: address.value | 0xC000_0000_0000), key: key)
    #expect(own && !altered && !other)
  }
}
