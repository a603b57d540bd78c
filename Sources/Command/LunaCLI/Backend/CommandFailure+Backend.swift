import HTTPServer
import LunaBackend

extension CommandFailure {
  /// What an error of the server or its storage means to a user; nil for errors of others.
  init?(backend error: any Error) {
    switch error {
    case let error as StorageError:
      self.init(ExitCode(error.kind), error)
    case let error as ServerError:
      self.init(ExitCode(error.kind), error)
    default: return nil
    }
  }
}
