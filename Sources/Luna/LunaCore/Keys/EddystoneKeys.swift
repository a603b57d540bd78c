public import LunaCrypto
import LunaProtocol

/// What recognises an Eddystone-EID beacon, as registering it leaves it.
public struct EddystoneKeys: Equatable, Sendable {
  /// The identity key, 16 bytes.
  public let identityKey: SecretBytes
  /// The rotation exponent K, 0 to 15: the identifier changes every 2^K s.
  public let exponent: UInt8
  /// The beacon's clock at the time of onboarding, s.
  public let counter: UInt32

  /// - Returns: nil when the key has not 16 bytes, or the exponent is above 15.
  public init?(identityKey: SecretBytes, exponent: UInt8, counter: UInt32) {
    guard identityKey.count == EddystoneEIDDeriver.keyCount,
      exponent <= EddystoneEIDDeriver.largestExponent
    else { return nil }
    self.identityKey = identityKey
    self.exponent = exponent
    self.counter = counter
  }
}
