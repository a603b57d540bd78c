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
  /// Nothing is kept of a home in a state directory.
  static func noHome(in state: String) -> CommandFailure {
    CommandFailure(
      .notFound, "no home has run in \(state)",
      hint: "luna home run runs one; --state DIR names another directory (that of the service is "
        + "/var/lib/luna-home)")
  }
}
