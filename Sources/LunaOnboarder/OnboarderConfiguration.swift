public import Bluetooth

/// How ``LunaOnboarder`` works.
public struct OnboarderConfiguration: Sendable {
  /// How long things may take.
  public var limits: OnboardingLimits
  /// Protocol time at a time of this machine; another one only in simulations.
  public var protocolTime: @Sendable (Timestamp) -> Timestamp

  /// A configuration.
  public init(
    limits: OnboardingLimits = OnboardingLimits(),
    protocolTime: @escaping @Sendable (Timestamp) -> Timestamp = { $0 }
  ) {
    self.limits = limits
    self.protocolTime = protocolTime
  }
}
