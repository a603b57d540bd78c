import Bluetooth
import LunaCore
import LunaCrypto
import Testing

struct FindMyKeyTests {
  /// The order of P-224 without its last byte, 3d.
  private static let order = "ffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a"

  private static func zeros(_ count: Int) -> String { String(repeating: "00", count: count) }

  @Test(arguments: [
    zeros(27) + "01", "01" + zeros(27), order + "3c", order + "00",
    "7f" + String(repeating: "ff", count: 27),
  ])
  func takesScalars(text: String) throws {
    let bytes = try #require(Hex.bytes(text))
    let secret = SecretBytes(copying: bytes.span)
    #expect(FindMyKey(secret)?.privateKey == secret)
  }

  @Test(arguments: [
    zeros(28), order + "3d", order + "3e", String(repeating: "ff", count: 28), "01",
    zeros(26) + "01", zeros(28) + "01",
  ])
  func refusesOtherNumbers(text: String) throws {
    let bytes = try #require(Hex.bytes(text))
    #expect(FindMyKey(SecretBytes(copying: bytes.span)) == nil)
  }

  @Test func isAnotherDeviceThanAnAccessoryWithTheSameBytes() throws {
    let secret = SecretBytes(copying: [UInt8](repeating: 7, count: 28).span)
    let other = SecretBytes(copying: [UInt8](repeating: 7, count: 32).span)
    let fixed = DeviceKeys.appleFindMyKey(try #require(FindMyKey(secret)))
    let accessory = DeviceKeys.appleFindMy(
      try #require(FindMyKeys(masterKey: secret, primarySecret: other, secondarySecret: other)))
    #expect(!fixed.hasSameIdentity(as: accessory))
    #expect(fixed.hasSameIdentity(as: fixed))
    #expect(fixed.kind.sends == .appleFindMy && fixed.identitySecret == secret)
  }
}
