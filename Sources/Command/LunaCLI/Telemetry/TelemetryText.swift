import LunaCore
import LunaDocuments
import LunaTelemetry
import SafeText

/// Telemetry for a person.
enum TelemetryText {
  static func lines(_ status: TelemetryQueueStatus, _ times: ShownTimes) -> [String] {
    func line(_ title: String, _ text: String) -> String {
      title + String(repeating: " ", count: 17 - title.count) + text
    }
    var lines = [line("waiting", "\(status.waiting) items, \(status.bytes) bytes")]
    if let oldest = status.oldest { lines.append(line("oldest", times.moment(oldest))) }
    if let sentAt = status.sentAt { lines.append(line("sent last", times.moment(sentAt))) }
    if let problem = status.problem {
      lines.append(line("not sent since", "\(ForeignText(problem))"))
    }
    for (code, count) in status.setAside.sorted(by: { $0.key < $1.key }) {
      lines.append(line("refused", "\(count) (\(ForeignText(code)))"))
    }
    for (reason, loss) in status.losses.sorted(by: { $0.key < $1.key }) {
      lines.append(
        line("lost", "\(loss.count) (\(sentence(reason)))")
          + (loss.since.map { ", since \(times.moment($0))" } ?? ""))
    }
    return lines
  }

  static func line(_ report: FlushReport) -> String {
    var text = "\(report.accepted) items sent"
    if report.duplicates > 0 { text += ", \(report.duplicates) known before" }
    if report.samples > 0 { text += ", \(report.samples) samples of health" }
    if report.setAside > 0 { text += ", \(report.setAside) refused" }
    return text + "; \(report.waiting) wait"
  }

  /// A reason of ``LunaCore/TelemetryLoss``.
  private static func sentence(_ reason: String) -> String {
    switch reason {
    case TelemetryLoss.full: "the queue was full"
    case TelemetryLoss.expired: "it was too old"
    case TelemetryLoss.storage: "the queue could not be written"
    case TelemetryLoss.signedOut: "nobody was signed in"
    case TelemetryLoss.rejected: "the backend did not want it"
    case TelemetryLoss.key: "its name was none"
    default: reason
    }
  }
}
