public import LunaProtocol

/// An onboarding of which it is not known whether the tracker took part to the end: from the moment
/// before the last message is sent to it (PROTOCOL.md, 14).
public struct PendingOnboarding: Equatable, Sendable {
  /// What the tracker is when it did.
  public let device: Device
  /// What the tracker showed in factory state; heard again, it says that the tracker did not.
  public let hint: ESF

  /// A record of these parts.
  public init(device: Device, hint: ESF) {
    self.device = device
    self.hint = hint
  }
}
