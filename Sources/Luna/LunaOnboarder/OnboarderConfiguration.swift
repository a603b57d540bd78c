public import Bluetooth
public import LunaCore
public import LunaProtocol

/// How ``LunaOnboarder`` works.
public struct OnboarderConfiguration: Sendable {
  /// How long things may take.
  public var limits: OnboardingLimits
  /// Protocol time at a time of this machine; another one only in simulations.
  public var protocolTime: @Sendable (Timestamp) -> Timestamp

  /// Gives the code on the label of a tracker to
  /// ``LunaOnboarder/startOnboarding(localDevice:code:name:allowsUnauthenticated:)`` that is called
  /// without one, perhaps from a person or a camera; nil for none.
  public var code: @Sendable (LocalDevice) async -> OnboardingCode?

  /// A configuration: by default the usual limits, the real time, and nobody who gives codes.
  public init(
    limits: OnboardingLimits = OnboardingLimits(),
    protocolTime: @escaping @Sendable (Timestamp) -> Timestamp = { $0 },
    code: @escaping @Sendable (LocalDevice) async -> OnboardingCode? = { _ in nil }
  ) {
    self.limits = limits
    self.protocolTime = protocolTime
    self.code = code
  }
}
