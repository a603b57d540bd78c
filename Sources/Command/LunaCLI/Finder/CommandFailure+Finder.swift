import Bluetooth
import LunaCore
import LunaFinder
import LunaTracker

extension CommandFailure {
  /// Why a finder has ended.
  init(finder error: any Error) {
    switch error {
    case let error as CommandFailure: self = error
    case let error as SourceError: self.init(radio: error)
    case let error as BackendError: self.init(error)
    case let error as TrackerError: self.init(error)
    case let error as FinderError:
      self.init(ExitCode(error.kind), error)
    default: self = CommandFailure(owner: error) ?? CommandFailure(.lost, "\(error)")
    }
  }
}
