import Diagnosis
import FileOutput
import LunaUplink
import UplinkProtocol

extension CommandFailure {
  /// What can go wrong in a check, a localization or an inspection; nil for anything else.
  init?(uplink error: any Error) {
    switch error {
    case let error as ReplayError: self.init(error)
    case let error as LocateError: self.init(error)
    case let error as LocalizationError: self.init(error)
    case let error as UplinkError: self.init(error)
    case let error as FileOutputError: self.init(error)
    default: return nil
    }
  }

  /// A replay that came to no end.
  init(_ error: ReplayError) {
    self.init(ExitCode(error.kind), error)
    name = error.kind.rawValue
    weheCode = error.kind.weheCode
  }

  /// A replay of several that came to no end.
  init(_ error: ReplayError, of recording: String) {
    self.init(
      ExitCode(error.kind), "\(recording): \(error.diagnosis.problem)",
      hint: error.remedy?.description)
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

  /// A check that does not begin; where a command or an option helps, that is said.
  init(_ error: UplinkError) {
    self.init(ExitCode(error.kind), error)
    switch error.kind {
    case .denied, .unreadable, .profile: break
    case .noSuchApp: hint = "luna uplink profiles LIST shows its apps"
    case .noRecordings: hint = "luna uplink record makes some; \(hint ?? "")"
    case .noVariations: hint = "write [PERCENT,...], as luna uplink locate --baseline does"
    case .noInspection: hint = "leave out --resume"
    case .noSamples: hint = "--as json writes the result"
    case .overBudget: hint = "--budget SIZE allows more"
    case .overMeteredBudget: hint = "the link is metered: --budget-metered SIZE allows more"
    case .overMonth: hint = "wait for the next month, or allow more with --monthly SIZE"
    case .overMeteredMonth:
      hint = "wait for the next month, or allow more with --monthly-metered SIZE"
    case .busy: hint = "wait for its end, or use another directory with --state"
    }
  }
}
