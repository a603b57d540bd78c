import Bluetooth
import LunaCore

/// What a queue holds, as a JSON line or for a person.
enum QueueDocument {
  static func append(_ status: QueueStatus, to output: OutputBuffer) {
    output.append("{\"type\":\"queue\"")
    var writer = JSONFieldWriter(output, continuing: true)
    writer.integer("waiting", Int64(status.waiting))
    if let oldest = status.oldest { writer.string("oldest", oldest.rfc3339) }
    writer.integer("limit", Int64(status.limit))
    writer.integer("confirmations", Int64(status.confirmations))
    for (name, counts) in [
      ("setAside" as StaticString, status.setAside), ("dropped", status.dropped),
    ] {
      writer.beginList(name)
      for (reason, count) in counts.sorted(by: { $0.key < $1.key }) {
        writer.beginItem()
        writer.string("reason", reason)
        writer.integer("count", Int64(count))
        writer.endItem()
      }
      writer.endList()
    }
    if let rate = status.eventsPerHour {
      writer.decimal("eventsPerHour", Int64(clampedTenths(rate)), digits: 1)
    }
    if let hours = status.hoursLeft {
      writer.decimal("hoursLeft", Int64(clampedTenths(hours)), digits: 1)
    }
    output.append("}\n")
  }

  private static func clampedTenths(_ value: Double) -> Double {
    min(max(0, value * 10), 1e15).rounded()
  }

  static func lines(_ status: QueueStatus, at now: Timestamp) -> [String] {
    var lines = ["waiting          \(status.waiting) of \(status.limit) events"]
    if let oldest = status.oldest {
      lines.append("oldest           \(oldest.rfc3339) (\(age(oldest, at: now)))")
    }
    if status.confirmations > 0 {
      lines.append("confirmations    \(status.confirmations) wait")
    }
    if let rate = status.eventsPerHour, let hours = status.hoursLeft {
      lines.append(
        "outage           \(tenths(hours)) hours still fit, at \(tenths(rate)) events an hour")
    } else {
      lines.append("outage           not known yet how many events an hour brings")
    }
    for (title, counts) in [("refused", status.setAside), ("lost", status.dropped)] {
      for (reason, count) in counts.sorted(by: { $0.key < $1.key }) {
        lines.append(
          title + String(repeating: " ", count: 17 - title.count)
            + "\(count) (\(DropReason.sentence(reason)))")
      }
    }
    return lines
  }

  private static func tenths(_ value: Double) -> String {
    DecimalText.text(Int64(clampedTenths(value)), digits: 1)
  }

  private static func age(_ time: Timestamp, at now: Timestamp) -> String {
    let seconds = (now.microseconds - time.microseconds) / 1_000_000
    switch seconds {
    case ..<0: return "ahead of the clock"
    case ..<120: return "\(seconds) s ago"
    case ..<7200: return "\(seconds / 60) min ago"
    default: return "\(seconds / 3600) h ago"
    }
  }
}
