import LunaBuzzer

extension CommandFailure {
  /// What a tracker that did not obey means to a user.
  init(_ error: BuzzerError) {
    let code = ExitCode(error.kind)
    if error.kind == .adapter { self.init(code, radio: error) } else { self.init(code, error) }
  }
}
