import Bluetooth
import Diagnosis
import LunaCore
import LunaProtocol

extension OnboardingError.Kind: ConnectionFailureKind {}

extension OnboardingError {
  static let stopped = OnboardingError(.stopped, "stopped")

  static let locked = OnboardingError(
    .locked, "the tracker is locked: five attempts to onboard it failed",
    remedy: "press its button, then try again with the right code")

  static let keyed = OnboardingError(
    .keyed, "the tracker has an owner",
    remedy: "its owner can reset it, or anybody by holding its button for 10 s")

  static let keyedOrLocked = OnboardingError(
    .keyed, "the tracker does not say that it can be onboarded: it has an owner, or is locked",
    remedy: "for a locked one, press its button; its owner can reset it")

  static let codeNeeded = OnboardingError(
    .codeNeeded, "the tracker wants the code on its label",
    remedy: "give its code; or press its button and try again within 60 s")

  static let consentNeeded = OnboardingError(
    .consentNeeded,
    "without a code nobody can tell who the tracker is: somebody nearby could take its place",
    remedy: "give the code on its label, or confirm that you want this")

  /// The same for a program, which gives codes in another way than a person.
  static let codeMissing = OnboardingError(
    .consentNeeded, consentNeeded.reason,
    remedy: "give its code, with startOnboarding(localDevice:code:) or LunaSettings.onboardingCode "
      + "(OnboarderConfiguration.code); allowsUnauthenticated says that none is wanted")

  static let notOffered = OnboardingError(
    .notOffered, "the device does not offer what is needed to onboard it",
    remedy: "it may be another device with the same address; try again")

  private static let faultyRemedy: Remedy =
    "try again; if that does not help, the tracker is faulty"

  /// libcrypto failed, which it does only where something is wrong with its installation.
  static func crypto(_ cause: String) -> OnboardingError {
    OnboardingError(
      .crypto, "libcrypto failed: \(cause)",
      remedy: "\(.selftest) tells whether libcrypto works; if it does not, reinstall its package")
  }

  /// The store refuses.
  init(_ error: DeviceStoreError) {
    self.init(.store, error.reason, remedy: error.remedy, storeError: error)
  }

  /// What a failure of the connection means when it is not tried again.
  init(_ error: GATTError) {
    let failure = Kind.told(of: error)
    self.init(failure.kind, failure.reason, remedy: error.remedy)
  }

  /// What an info says that does not lead on.
  init(info error: OnboardingRejection, state: OnboardingState?) {
    switch (error, state) {
    case (.state, .keyed): self = .keyed
    case (.state, .locked): self = .locked
    case (.crypto(let cause), _): self = .crypto("\(cause)")
    case (.version, _):
      self.init(
        .malformed, "the tracker speaks another version of the protocol", remedy: "use a newer luna"
      )
    default: self.init(malformed: "info", error)
    }
  }

  /// What a response says that does not lead on.
  init(response error: OnboardingRejection, hasCode: Bool) {
    switch error {
    case .confirm where hasCode:
      self.init(
        .wrongCode, "the tracker does not know this code",
        remedy: "check the code on the label of this very tracker")
    case .confirm:
      self.init(
        .malformed,
        "the messages were altered in transit, or the tracker is not what it claims to be",
        remedy: "try again elsewhere, with the code")
    case .crypto(let cause): self = .crypto("\(cause)")
    default: self.init(malformed: "response", error)
    }
  }

  /// A message is not what the protocol allows.
  init(malformed message: String, _ error: OnboardingRejection) {
    self.init(
      .malformed, "the tracker's \(message) is not what the protocol allows: \(error.reason)",
      remedy: OnboardingError.faultyRemedy)
  }

  /// A failure that a tracker tells with message 5.
  init(status: UInt8) {
    switch OnboardingStatus(rawValue: status) {
    case .modeRefused: self = .codeNeeded
    case .keyed: self = .keyed
    case .locked: self = .locked
    case .unauthenticated:
      self.init(.refused, "the tracker says that the keys do not fit", remedy: "try again")
    case .malformed, .weakKey, .unsupported, .done, nil:
      self.init(.refused, "the tracker refused with status \(status)", remedy: "try again")
    }
  }

  /// The last answer was lost, and so far nothing tells whether the tracker took the keys.
  static func unresolved(_ cause: OnboardingError?) -> OnboardingError {
    OnboardingError(
      .unresolved,
      "the tracker may have taken the keys, but its last answer was lost"
        + (cause.map { ": \($0.reason)" } ?? ""),
      remedy: "run \(.onboarding) again near it: the keys are kept, and it is asked then")
  }
}
