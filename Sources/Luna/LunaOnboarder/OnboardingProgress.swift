public import Bluetooth

/// How far an onboarding has come, for people who want to watch.
public enum OnboardingProgress: Hashable, Sendable {
  /// Listening for trackers.
  case listening
  /// The tracker that the code belongs to is locked: its button is waited for.
  case locked(GATTPeer)
  /// An attempt to connect.
  case connecting(GATTPeer, attempt: Int)
  /// A sentence of the GATT client about the attempt.
  case detail(String)
  /// Connected; keys are being agreed on.
  case agreeing
  /// The tracker knows the code; it is told to take the keys.
  case finishing
  /// The last answer of the tracker was lost; it is listened for, and asked.
  case resolving
  /// A tracker whose onboarding did not end before is asked whether it has the keys.
  case asking(GATTPeer)
  /// A record of an onboarding that did not end was dropped: its tracker is in factory state.
  case discarded
}
