import LunaCore
import LunaOnboarder

extension CommandFailure {
  /// Why a tracker was not onboarded.
  init(_ error: OnboardingError) {
    if let cause = error.storeError, let failure = CommandFailure(owner: cause) {
      self = failure
      return
    }
    self.init(ExitCode(error.kind), error.reason, hint: error.hint)
  }
}
