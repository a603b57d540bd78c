import Bluetooth
import LunaCore

/// What a queue holds, as a JSON line or for a person.
enum QueueDocument {
  /// How old the note of a flood may be: a finder renews it every minute, and one that was killed does
  /// not take it back.
  private static let patience: Int64 = 180

  private static func crowd(_ status: QueueStatus, at now: Timestamp) -> CrowdStatus? {
    guard let crowd = status.crowd else { return nil }
    let age = now.microseconds.subtractingReportingOverflow(crowd.notedAt.microseconds)
    return age.overflow || age.partialValue.magnitude > UInt64(patience) * 1_000_000 ? nil : crowd
  }

  static func append(_ status: QueueStatus, at now: Timestamp, to output: OutputBuffer) {
    output.append("{\"type\":\"queue\"")
    var writer = JSONFieldWriter(output, continuing: true)
    writer.integer("waiting", Int64(status.waiting))
    if let oldest = status.oldest { writer.string("oldest", oldest.rfc3339) }
    writer.integer("limit", Int64(status.limit))
    writer.integer("confirmations", Int64(status.confirmations))
    let setAside = status.setAside.mapValues { LossCount($0) }
    for (name, counts) in [("setAside" as StaticString, setAside), ("dropped", status.losses)] {
      writer.beginList(name)
      for (reason, loss) in counts.sorted(by: { $0.key < $1.key }) {
        writer.beginItem()
        writer.string("reason", reason)
        writer.integer("count", Int64(loss.count))
        if let since = loss.since { writer.string("since", since.rfc3339) }
        if let last = loss.last { writer.string("last", last.rfc3339) }
        writer.endItem()
      }
      writer.endList()
    }
    writer.boolean("underAttack", crowd(status, at: now) != nil)
    if let crowd = crowd(status, at: now) {
      writer.integer("newPerMinute", Int64(crowd.newPerMinute))
      writer.string("underAttackSince", crowd.since.rfc3339)
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
        "outage           \(span(hours)) still fit, at \(tenths(rate)) events an hour")
    } else {
      lines.append("outage           not known yet how many events an hour brings")
    }
    if let crowd = crowd(status, at: now) {
      lines.append(
        "under attack     \(crowd.newPerMinute) new identifiers a minute, since "
          + "\(crowd.since.rfc3339) (\(age(crowd.since, at: now)))")
    }
    let setAside = status.setAside.mapValues { LossCount($0) }
    for (title, counts) in [("refused", setAside), ("lost", status.losses)] {
      for (reason, loss) in counts.sorted(by: { $0.key < $1.key }) {
        lines.append(
          title + String(repeating: " ", count: 17 - title.count)
            + "\(loss.count) (\(DropReason.sentence(reason)))"
            + (loss.since.map { ", since \($0.rfc3339)" } ?? "")
            + (loss.last.map { ", last \(age($0, at: now))" } ?? ""))
      }
    }
    return lines
  }

  /// A time that a person can imagine, rounded down.
  static func span(_ hours: Double) -> String {
    func counted(_ number: Double, _ unit: String) -> String {
      let whole = Int(min(number, 1e9))
      return "\(whole) \(unit)\(whole == 1 ? "" : "s")"
    }
    switch hours {
    case ..<1: return counted(max(0, hours * 60), "minute")
    case ..<48: return counted(hours, "hour")
    case ..<17_520: return counted(hours / 24, "day")
    default: return counted(hours / 8766, "year")
    }
  }

  private static func tenths(_ value: Double) -> String {
    DecimalText.text(Int64(clampedTenths(value)), digits: 1)
  }

  private static func age(_ time: Timestamp, at now: Timestamp) -> String {
    let seconds = (now.microseconds &- time.microseconds) / 1_000_000
    switch seconds {
    case ..<0: return "ahead of the clock"
    case ..<120: return "\(seconds) s ago"
    case ..<7200: return "\(seconds / 60) min ago"
    case ..<172_800: return "\(seconds / 3600) h ago"
    default: return "\(seconds / 86_400) days ago"
    }
  }
}
