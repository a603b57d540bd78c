import LunaBackend

extension CommandFailure {
  /// What an error of the server or its storage means to a user; nil for errors of others.
  init?(backend error: any Error) {
    switch error {
    case let error as StorageError: self.init(error)
    case let error as ServerError: self.init(error)
    default: return nil
    }
  }

  private init(_ error: StorageError) {
    let code: ExitCode =
      switch error.kind {
      case .denied: .noPermission
      case .overloaded, .unavailable: .busy
      case .limit: .notFound
      case .malformed, .exists: .usage
      case .full, .missing, .replaced, .failed: .lost
      case .damaged, .foreign, .outdated: .unreadableInput
      }
    self.init(code, error.reason, hint: error.hint)
  }

  private init(_ error: ServerError) {
    let code: ExitCode =
      switch error.kind {
      case .address: .usage
      case .denied: .noPermission
      case .busy: .busy
      case .certificate: .unreadableInput
      case .library, .failed: .lost
      }
    self.init(code, error.reason, hint: error.hint)
  }
}
