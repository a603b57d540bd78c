/// What a tracker says of itself before anyone is authenticated (PROTOCOL.md, 13).
public enum OnboardingState: UInt8, Sendable {
  /// It can be onboarded.
  case factory = 0
  /// It has an owner.
  case keyed = 1
  /// Too many attempts failed: its button must be pressed.
  case locked = 2
}
