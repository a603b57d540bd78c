package import Bluetooth
package import LunaCore

/// What a queue holds, for a person.
package enum QueueText {
  /// What each thing is called, and what is known of it.
  package static func rows(
    _ status: QueueStatus, at now: Timestamp, _ times: ShownTimes
  ) -> [[String]] {
    var rows = [["waiting", "\(status.waiting) of \(status.limit) events"]]
    if let oldest = status.oldest {
      rows.append(["oldest", "\(times.moment(oldest)) (\(age(oldest, at: now)))"])
    }
    if status.confirmations > 0 {
      rows.append(["confirmations", "\(status.confirmations) wait"])
    }
    if let rate = status.eventsPerHour, let hours = status.hoursLeft {
      rows.append(["outage", "\(span(hours)) still fit, at \(tenths(rate)) events an hour"])
    } else {
      rows.append(["outage", "not known yet how many events an hour brings"])
    }
    if let crowd = QueueDocument.crowd(status, at: now) {
      rows.append([
        "under attack",
        "\(crowd.newPerMinute) new identifiers a minute, since \(times.moment(crowd.since)) "
          + "(\(age(crowd.since, at: now)))",
      ])
    }
    let setAside = status.setAside.mapValues { LossCount($0) }
    for (title, counts) in [("refused", setAside), ("lost", status.losses)] {
      for (reason, loss) in counts.sorted(by: { $0.key < $1.key }) {
        rows.append([
          title,
          "\(loss.count) (\(DropReason.sentence(reason)))"
            + (loss.since.map { ", since \(times.moment($0))" } ?? "")
            + (loss.last.map { ", last \(age($0, at: now))" } ?? ""),
        ])
      }
    }
    return rows
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
    DecimalText.text(Int64(QueueDocument.clampedTenths(value)), digits: 1)
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
