import LunaCore
import LunaOnboarder

extension CommandFailure {
  /// Why a tracker was not onboarded.
  init(_ error: OnboardingError) {
    if let cause = error.storeError, let failure = CommandFailure(owner: cause) {
      self = failure
      return
    }
    let code: ExitCode =
      switch error.kind {
      case .notFound, .notConnectable, .wrongCode, .codeNeeded, .keyed, .locked, .refused,
        .malformed, .notOffered, .unreachable, .unresolved:
        .notFound
      case .ambiguous, .consentNeeded: .usage
      case .adapter, .store, .crypto: .lost
      case .stopped: .interrupted
      }
    self.init(code, error.reason, hint: error.hint)
  }
}
