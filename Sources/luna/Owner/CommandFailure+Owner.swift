import LunaCore
import LunaCrypto
import LunaOwner

extension CommandFailure {
  /// What an error of the store, of a file of devices or of the owner means to a user; nil for
  /// errors of others.
  init?(owner error: any Error) {
    switch error {
    case let error as DeviceStoreError: self.init(error)
    case let error as DeviceFileError:
      self.init(.unreadableInput, error.description, hint: error.hint)
    case let error as OwnerError: self.init(error)
    case let error as BackendError: self.init(error)
    case let error as CryptoError: self.init(.lost, error.description)
    default: return nil
    }
  }

  private init(_ error: DeviceStoreError) {
    let code: ExitCode =
      switch error.kind {
      case .denied, .locked: .noPermission
      case .busy: .busy
      case .full, .damaged, .newer: .unreadableInput
      case .unknownDevice, .exhausted: .notFound
      case .failed, .gone: .lost
      }
    self.init(code, error.reason, hint: error.hint)
  }

  private init(_ error: OwnerError) {
    let code: ExitCode =
      switch error.kind {
      case .noSuchDevice, .foreignDevice, .counter, .clock: .notFound
      case .ambiguous, .command, .duration, .range, .noBackend: .usage
      }
    self.init(code, error.reason, hint: error.hint)
  }
}
