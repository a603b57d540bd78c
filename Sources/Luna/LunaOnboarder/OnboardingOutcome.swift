public import Bluetooth
public import LunaCore
public import LunaProtocol

/// What an onboarding came to.
public enum OnboardingOutcome: Sendable {
  /// The tracker is the owner's.
  case onboarded(Device)
  /// A dry run found this tracker.
  case found(GATTPeer, hint: ESF)
}
