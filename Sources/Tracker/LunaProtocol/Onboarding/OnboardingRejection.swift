public import Diagnosis
public import LunaCrypto

/// Why an application does not go on with onboarding (PROTOCOL.md, 14).
public enum OnboardingRejection: Diagnosed, Hashable, Sendable {
  /// A message has not the length of its kind.
  case length
  /// The version of the info is not 1.
  case version
  /// The tracker is keyed or locked.
  case state
  /// The type of the tracker's key is not X25519.
  case keyType
  /// A reserved bit or byte of the info is set.
  case reserved
  /// The tracker's key has low order: no secret can come of it.
  case peerKey
  /// A message is of another kind.
  case type
  /// The tracker does not know the code, or a message was altered.
  case confirm
  /// What the tracker told under encryption does not open.
  case aead
  /// What it told has a battery level above 3, or a reserved byte set.
  case payload
  /// The tracker refused, with this status.
  case status(UInt8)
  /// libcrypto failed.
  case crypto(CryptoError)

  /// The reason as test vectors and messages name it.
  public var reason: String {
    switch self {
    case .length: "length"
    case .version: "version"
    case .state: "state"
    case .keyType: "keyType"
    case .reserved: "reserved"
    case .peerKey: "peerKey"
    case .type: "type"
    case .confirm: "confirm"
    case .aead: "aead"
    case .payload: "payload"
    case .status(let code): "status\(code)"
    case .crypto(let error): error.description
    }
  }

  /// What is wrong with a message of onboarding.
  public var diagnosis: Diagnosis { Diagnosis("a message of onboarding is refused (\(reason))") }
}
