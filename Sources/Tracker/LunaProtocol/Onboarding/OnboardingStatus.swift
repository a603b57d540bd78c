/// What a tracker answers to onboarding messages (PROTOCOL.md, 14, message 5).
public enum OnboardingStatus: UInt8, Sendable {
  /// Onboarded.
  case done = 0
  /// A message has another length or type.
  case malformed = 1
  /// The authentication mode is refused: without a code the button must be pressed.
  case modeRefused = 2
  /// The application's key has low order.
  case weakKey = 3
  /// The finish does not authenticate: another code, or altered.
  case unauthenticated = 4
  /// The exponent, the flags or the reserved bytes of the finish are not those of version 1.
  case unsupported = 5
  /// The tracker has an owner.
  case keyed = 6
  /// Too many attempts failed.
  case locked = 7

  /// Whether a request or finish that was refused with it counts towards the lock (PROTOCOL.md, 14).
  public var countsTowardsLock: Bool {
    switch self {
    case .modeRefused, .weakKey, .unauthenticated, .unsupported: true
    case .done, .malformed, .keyed, .locked: false
    }
  }

  /// The message of two bytes that tells a failure.
  public var message: InlineArray<2, UInt8> { [4, rawValue] }
}
