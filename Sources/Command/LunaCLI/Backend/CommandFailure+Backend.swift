import LunaBackend

extension CommandFailure {
  /// What an error of the server or its storage means to a user; nil for errors of others.
  init?(backend error: any Error) {
    switch error {
    case let error as StorageError:
      self.init(ExitCode(error.kind), error.reason, hint: error.hint)
    case let error as ServerError:
      self.init(ExitCode(error.kind), error.reason, hint: error.hint)
    default: return nil
    }
  }
}
