import Diagnosis
import UplinkProtocol

extension CommandFailure {
  /// What can go wrong in a check, a localization or an inspection; nil for anything else.
  init?(uplink error: any Error) {
    switch error {
    case let error as ReplayError: self.init(error)
    case let error as LocateError: self.init(error)
    case let error as LocalizationError: self.init(error)
    default: return nil
    }
  }

  /// A replay that came to no end.
  init(_ error: ReplayError) {
    self.init(ExitCode(error.kind), error)
    name = error.kind.rawValue
    weheCode = error.kind.weheCode
  }

  /// A server that was not located, or is reached no more.
  init(_ error: LocateError) {
    self.init(ExitCode(error.kind), error)
    name = error.kind.rawValue
    weheCode = error.kind.weheCode
  }

  /// A difference that was not located.
  init(_ error: LocalizationError) {
    self.init(ExitCode(error.kind), error)
    name = error.kind.rawValue
    weheCode = error.kind.weheCode
    if error.kind == .pathUnknown { hint = "name other servers, or take the paths with --force" }
  }
}
