import LunaCore
import LunaOnboarder

extension CommandFailure {
  /// Why a tracker was not onboarded.
  init(_ error: OnboardingError) {
    if let cause = error.storeError, let failure = CommandFailure(owner: cause) {
      self = failure
      return
    }
    let code = ExitCode(error.kind)
    if error.kind == .adapter { self.init(code, radio: error) } else { self.init(code, error) }
  }
}
