import LunaCore
import LunaHome

extension ExitCode {
  /// A home.
  init(_ kind: HomeError.Kind) {
    switch kind {
    case .file: self = .unreadableInput
    case .notFound, .action, .expired: self = .notFound
    case .locked: self = .noPermission
    case .storage, .state: self = .lost
    }
  }
}

extension CommandFailure {
  /// Why a home that is called does not do what is asked.
  init(_ error: HomeCallError) {
    let code: ExitCode =
      switch error.kind {
      case .denied: .noPermission
      case .notRunning, .ended, .unreadable, .refused(nil): .backend
      case .refused(let kind?): ExitCode(kind)
      }
    self.init(code, error)
    switch error.kind {
    case .notRunning: hint = "start one with: luna home run"
    case .ended: hint = "what it said last tells why; start it again with: luna home run"
    case .denied, .unreadable, .refused: break
    }
  }

  /// Nothing is kept of a home in a state directory.
  static func noHome(in state: String) -> CommandFailure {
    CommandFailure(
      .notFound, "no home has run in \(state)",
      hint: "luna home run runs one; --state DIR names another directory (that of the service is "
        + "/var/lib/luna-home)")
  }
}
