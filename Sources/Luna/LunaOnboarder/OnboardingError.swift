public import Diagnosis
public import LunaCore

/// Why a tracker was not onboarded. Never holds key material.
public struct OnboardingError: Diagnosed, CustomStringConvertible, Hashable {
  /// What went wrong, for programs that decide by it.
  public enum Kind: String, Sendable {
    /// No tracker that could be meant was heard in time.
    case notFound
    /// It was heard, and accepted no connection in time.
    case notConnectable
    /// Several trackers may be meant.
    case ambiguous
    /// Without a code the owner has to say that this is wanted.
    case consentNeeded
    /// The tracker does not know the code.
    case wrongCode
    /// Without a code the tracker wants its button pressed.
    case codeNeeded
    /// The tracker has an owner.
    case keyed
    /// Too many attempts failed; the tracker wants its button pressed.
    case locked
    /// The tracker refused with a status.
    case refused
    /// The tracker said what the protocol does not allow.
    case malformed
    /// It offers nothing of the kind: another device with the same address.
    case notOffered
    /// Connections did not come about, or broke.
    case unreachable
    /// The adapter was taken away, or may not be used.
    case adapter
    /// The last answer was lost and the tracker not heard again: it may have taken the keys.
    case unresolved
    /// The store cannot keep what has to be kept. Nothing was sent that needs it.
    case store
    /// libcrypto failed.
    case crypto
    /// It was stopped from this side.
    case stopped
  }

  /// What went wrong; ``diagnosis`` says it in words, and what to do.
  public let kind: Kind
  /// What happened, why, and what to do.
  public let diagnosis: Diagnosis
  /// What the store said, where that is why.
  public let storeError: DeviceStoreError?

  /// An error of `kind`.
  public init(
    _ kind: Kind, _ reason: String, remedy: Remedy? = nil, storeError: DeviceStoreError? = nil
  ) {
    self.kind = kind
    diagnosis = Diagnosis(reason, remedy: remedy)
    self.storeError = storeError
  }
}
