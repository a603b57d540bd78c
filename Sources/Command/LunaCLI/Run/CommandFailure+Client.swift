import LunaCore

extension CommandFailure {
  /// What a backend says, or why it cannot be asked.
  init(_ error: BackendError) {
    self.init(ExitCode(error.kind), error)
  }
}
