import LunaCore
import LunaHome

extension ExitCode {
  /// A home.
  init(_ kind: HomeError.Kind) {
    switch kind {
    case .file: self = .unreadableInput
    case .notFound, .action, .expired: self = .notFound
    case .locked: self = .noPermission
    case .storage, .state: self = .lost
    }
  }
}
