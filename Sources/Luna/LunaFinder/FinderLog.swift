import Bluetooth
public import LunaCore

/// What happens, as lines for a log.
public enum FinderLog {
  /// A line of a log, with its level.
  public static func line(_ update: FinderUpdate) -> (level: LogLevel, text: String) {
    switch update {
    case .listening(let source, let duty):
      (.INFO, "listening (\(duty.rawValue)): \(source.explanation)")
    case .state(.listening(let adapter)): (.INFO, "\(adapter): listening")
    case .state(.recovering(let adapter, let reason)):
      (.ERROR, "\(adapter): recovering: \(reason)")
    case .state(.lost(let adapter, let reason)): (.ERROR, "\(adapter): lost: \(reason)")
    case .state(.underAttack(let rate)):
      (
        .ERROR,
        "under attack: \(rate) new identifiers within a minute; each is reported only after a second "
          + "sighting"
      )
    case .queueRenewed(let reason, let lost, let setAside):
      (
        .ERROR,
        "\(reason): the queue has a new file"
          + (lost.map { lost in
            lost > 0
              ? "; \(counted(lost, "event")) could not be read any more"
              : ", with all that the old one held"
          } ?? ", with what could be read of the old one; how much more it held is not known")
          + (setAside.map { "; the file that was there is \($0)" } ?? "")
      )
    case .recovery(let step): (step.outcome == .failed ? .ERROR : .INFO, step.description)
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
      (.ERROR, "\(counted(count, DropReason.noun(reason))) lost: \(DropReason.sentence(reason))")
    case .ended(let heard, let duration):
      (.DEBUG, "ended after \(duration.components.seconds) s; \(counted(heard, "report")) heard")
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
