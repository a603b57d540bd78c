public import LunaCrypto
public import LunaProtocol

/// What recognises a tracker of Google's Find Hub network.
public struct FindHubKeys: Equatable, Sendable {
  /// The number of bytes of an ephemeral identity key.
  public static let keyCount = 32

  /// The ephemeral identity key (EIK), 32 bytes.
  public let identityKey: SecretBytes
  /// The tracker's clock at the time of onboarding, s.
  public let counter: UInt32
  /// The curve that the tracker computes on: its identifiers have 20 or 32 bytes.
  public let curve: FindHubEIDDeriver.Curve

  /// - Returns: nil when the key has not 32 bytes.
  public init?(
    identityKey: SecretBytes, counter: UInt32, curve: FindHubEIDDeriver.Curve = .secp160r1
  ) {
    guard identityKey.count == FindHubKeys.keyCount else { return nil }
    self.identityKey = identityKey
    self.counter = counter
    self.curve = curve
  }
}
