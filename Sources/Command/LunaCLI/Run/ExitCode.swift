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
  static let statuses = allCases.filter { $0 != .backend }.map {
    ExitStatus(UInt8($0.rawValue), $0.meaning)
  }

  /// All codes, for commands that talk to a backend.
  static let clientStatuses = allCases.map { ExitStatus(UInt8($0.rawValue), $0.meaning) }

  /// Those of commands that judge a network.
  static let uplinkStatuses = [
    done, notFound, usage, noPermission, busy, lost, unreadableInput,
  ].map { ExitStatus(UInt8($0.rawValue), $0.meaning) }

  /// Those of commands that send something to do so.
  static let uplinkClientStatuses = [
    done, notFound, usage, noPermission, busy, lost, unreadableInput, backend,
  ].map { ExitStatus(UInt8($0.rawValue), $0.meaning) }

  /// What it means, for help and manual pages.
  var meaning: String {
    switch self {
    case .done: "Done."
    case .notFound:
      "It ran, but did not find what was asked for (nothing matched, or a check failed)."
    case .usage:
      "The command line is wrong, or a file exists and --force was not given."
    case .noAdapter: "There is no adapter, or not the one asked for."
    case .noPermission: "No permission, for the adapter or for a file."
    case .adapterOff: "The adapter is off or blocked by rfkill."
    case .busy: "The adapter is in use by another program."
    case .lost:
      "The adapter was lost and did not come back, or output cannot be written."
    case .unreadableInput: "The input is unreadable or malformed."
    case .backend: "The backend refused or could not be reached."
    case .interrupted: "Interrupted (Ctrl-C)."
    case .terminated: "Terminated (SIGTERM)."
    }
  }
}
