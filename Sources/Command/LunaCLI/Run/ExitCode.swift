import CommandSpec

/// The exit codes of the command-line contract.
enum ExitCode: Int32, CaseIterable, Sendable {
  case done = 0
  case notFound = 1
  case usage = 2
  case noAdapter = 3
  case noPermission = 4
  case adapterOff = 5
  case busy = 6
  case lost = 7
  case unreadableInput = 8
  case backend = 9
  case inconclusive = 10
  case overBudget = 11
  case interrupted = 130
  case terminated = 143

  /// Whether something did not work; not when somebody has ended it.
  var isFailure: Bool {
    switch self {
    case .done, .interrupted, .terminated: false
    default: true
    }
  }

  /// All codes, for help and manual pages; `backend` belongs to commands that talk to one.
  static let statuses = clientStatuses.filter { $0.code != UInt8(backend.rawValue) }

  /// All codes, for commands that talk to a backend.
  static let clientStatuses = allCases.filter { $0 != .inconclusive && $0 != .overBudget }.map {
    ExitStatus(UInt8($0.rawValue), $0.meaning)
  }

  /// Those of a service, which SIGTERM ends in order.
  static func ofService(_ statuses: [ExitStatus]) -> [ExitStatus] {
    statuses.filter { $0.code != UInt8(terminated.rawValue) }.map {
      $0.code == UInt8(done.rawValue) ? ExitStatus($0.code, "Done, or ended by SIGTERM.") : $0
    }
  }

  /// Those of a service that has no adapter.
  static let serverStatuses = ofService(statuses).filter {
    $0.code != UInt8(noAdapter.rawValue) && $0.code != UInt8(adapterOff.rawValue)
  }

  /// Those of commands that judge a network.
  static let uplinkStatuses = [
    done, notFound, usage, noPermission, busy, lost, unreadableInput,
  ].map { ExitStatus(UInt8($0.rawValue), $0.meaning) }

  /// Those of commands that send something to do so.
  static let uplinkClientStatuses = [
    done, notFound, usage, noPermission, busy, lost, unreadableInput, backend,
  ].map { ExitStatus(UInt8($0.rawValue), $0.meaning) }

  /// Those of the check itself.
  static let uplinkCheckStatuses =
    uplinkClientStatuses
    + [inconclusive, overBudget, interrupted, terminated].map {
      ExitStatus(UInt8($0.rawValue), $0.meaning)
    }

  /// What it means, for help and manual pages.
  var meaning: String {
    switch self {
    case .done: "Done."
    case .notFound:
      "It ran, but did not find what was asked for (nothing matched, or a check failed)."
    case .usage:
      "The command line is wrong, or a file that would be overwritten exists."
    case .noAdapter: "There is no adapter, or not the one asked for."
    case .noPermission: "No permission, for the adapter or for a file."
    case .adapterOff: "The adapter is off or blocked by rfkill."
    case .busy:
      "Another program uses the adapter, the file or the address, or a database cannot be reached."
    case .lost:
      "The adapter was lost and did not come back, a file was cut while it was in use, or output "
        + "cannot be written."
    case .unreadableInput:
      "The input, or what is stored, is not there, is malformed or is damaged."
    case .backend: "The backend refused or could not be reached."
    case .inconclusive: "Inconclusive: what was measured does not tell."
    case .overBudget: "It would take more data than may be used."
    case .interrupted: "Interrupted (Ctrl-C)."
    case .terminated: "Terminated (SIGTERM)."
    }
  }
}
