public import LunaProtocol

/// What is asked of ``LunaOnboarder``.
public struct OnboardingRequest: Sendable {
  /// Which tracker.
  public var target: OnboardingTarget
  /// The code on its label. Without it nobody can tell who the tracker is.
  public var code: OnboardingCode?
  /// What it is called afterwards; its UUID unless given.
  public var name: String?
  /// Whether the owner accepts that without a code an attacker nearby can take the place of the
  /// tracker, and of the owner. The device is marked.
  public var allowsUnauthenticated: Bool
  /// Whether only to find the tracker, and neither to connect nor to change anything.
  public var isDryRun: Bool

  /// What is asked for; without a `code`, the owner has to accept what `allowsUnauthenticated` says.
  public init(
    _ target: OnboardingTarget = .fitting, code: OnboardingCode? = nil, name: String? = nil,
    allowsUnauthenticated: Bool = false, isDryRun: Bool = false
  ) {
    self.target = target
    self.code = code
    self.name = name
    self.allowsUnauthenticated = allowsUnauthenticated
    self.isDryRun = isDryRun
  }
}
