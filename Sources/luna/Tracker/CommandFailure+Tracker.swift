import LunaTracker

extension CommandFailure {
  init(_ error: TrackerError) {
    self.init(ExitCode(error.kind), error.reason, hint: error.hint)
  }
}

extension ExitCode {
  /// The code for a tracker that cannot be made, read or kept.
  init(_ kind: TrackerError.Kind) {
    switch kind {
    case .notFound: self = .notFound
    case .exists, .invalid: self = .usage
    case .busy: self = .busy
    case .unreadable, .system: self = .unreadableInput
    case .crypto: self = .lost
    }
  }
}
