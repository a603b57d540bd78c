import LunaCore
import LunaCrypto
import LunaOwner
import LunaShare

extension CommandFailure {
  /// What an error of the store, of a file of devices, of the owner or of a share means to a user; nil for
  /// errors of others.
  init?(owner error: any Error) {
    switch error {
    case let error as DeviceStoreError:
      self.init(ExitCode(error.kind), error)
    case let error as DeviceFileError:
      self.init(.unreadableInput, error)
    case let error as OwnerError:
      self.init(ExitCode(error.kind), error)
    case let error as BackendError: self.init(error)
    case let error as CryptoError: self.init(.lost, error)
    case let error as ShareError: self.init(error)
    case let rejection as ShareRejection: self.init(rejection)
    default: return nil
    }
  }
}
