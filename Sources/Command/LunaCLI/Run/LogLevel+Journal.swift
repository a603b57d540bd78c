import LunaCore
import ServiceManager

extension LogLevel {
  /// The same for the journal.
  var priority: JournalPriority {
    switch self {
    case .ERROR: .error
    case .DEBUG: .debug
    case .INFO: .info
    }
  }
}
