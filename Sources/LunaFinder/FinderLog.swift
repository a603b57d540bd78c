import Bluetooth
public import LunaCore

/// What happens, as lines for a log.
public enum FinderLog {
  /// A line of a log with its level; nil for what would fill one.
  public static func line(_ update: FinderUpdate) -> (level: LogLevel, text: String) {
    switch update {
    case .listening(let source, let duty):
      (.INFO, "listening (\(duty.rawValue)): \(source.explanation)")
    case .found(let heid, _, _): (.DEBUG, "a tracker was heard, its report is queued: \(heid)")
    case .entered(let region): (.INFO, "trackers are near (region \(region.index))")
    case .exited(let region):
      (.INFO, "no tracker was heard for 30 s (region \(region.index))")
    case .located: (.DEBUG, "the position has changed")
    case .unlocated(let reason): (.ERROR, "the position is not known: \(reason)")
    case .uploaded(let summary): (.INFO, text(summary))
    case .uploadFailed(let error, let pause):
      (.ERROR, "upload failed; retrying in \(pause.components.seconds + 1) s: \(error)")
    case .commandStarted(let id, _): (.INFO, "command \(id): looking for its tracker")
    case .commandEnded(let id, _, let outcome):
      (.INFO, "command \(id): \(outcome.kind.rawValue)" + (outcome.detail.map { ", \($0)" } ?? ""))
    case .confirmed(let id, nil): (.INFO, "command \(id): confirmed")
    case .confirmed(let id, let error?):
      (.ERROR, "command \(id): the backend does not want its confirmation: \(error)")
    case .dropped(let reason, let count):
      (.ERROR, "\(counted(count, "sighting")) lost: \(DropReason.sentence(reason))")
    case .problem(let error): (.ERROR, "\(error)")
    }
  }

  static func write(_ update: FinderUpdate, to logger: any Logger) {
    let (level, text) = line(update)
    logger.log(level, text)
  }

  private static func counted(_ count: Int, _ thing: String) -> String {
    "\(count) \(thing)\(count == 1 ? "" : "s")"
  }

  private static func text(_ summary: UploadSummary) -> String {
    var text = "uploaded \(counted(summary.sent, "event"))"
    if summary.duplicates > 0 { text += ", \(summary.duplicates) known before" }
    for (code, count) in summary.refused.sorted(by: { $0.key < $1.key }) {
      text += ", \(count) refused (\(code))"
    }
    if summary.postponed > 0 { text += ", \(summary.postponed) put off" }
    text += "; \(summary.waiting) wait"
    return summary.commands > 0
      ? text + "; \(counted(summary.commands, "command")) came back" : text
  }
}
