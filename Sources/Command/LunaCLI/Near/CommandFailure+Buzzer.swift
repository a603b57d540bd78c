import LunaBuzzer

extension CommandFailure {
  /// What a tracker that did not obey means to a user.
  init(_ error: BuzzerError) {
    self.init(ExitCode(error.kind), error.reason, hint: error.hint)
  }
}
