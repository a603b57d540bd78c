import LunaBuzzer

extension CommandFailure {
  /// What a tracker that did not obey means to a user.
  init(_ error: BuzzerError) {
    let code: ExitCode =
      switch error.kind {
      case .adapter: .lost
      case .noMatchingPackage, .noPackage, .notHeard, .notConnectable, .unreachable, .noAnswer,
        .notOffered, .unauthorized, .stale, .alreadyExecuted, .wrongPeriod, .unsupported, .busy,
        .limited, .refused, .forged, .malformed, .notSeparated, .stopped:
        .notFound
      }
    self.init(code, error.reason, hint: error.hint)
  }
}
