package import Bluetooth
package import LunaCore

/// What a queue holds, as a JSON line.
package enum QueueDocument {
  /// How old the note of a flood may be: a finder renews it every minute, and one that was killed does
  /// not take it back.
  private static let patience: Int64 = 180

  /// The flood that is going on; nil when there is none.
  package static func crowd(_ status: QueueStatus, at now: Timestamp) -> CrowdStatus? {
    guard let crowd = status.crowd else { return nil }
    let age = now.microseconds.subtractingReportingOverflow(crowd.notedAt.microseconds)
    return age.overflow || age.partialValue.magnitude > UInt64(patience) * 1_000_000 ? nil : crowd
  }

  package static func append(_ status: QueueStatus, at now: Timestamp, to output: OutputBuffer) {
    var writer = JSONFieldWriter("queue", in: output)
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
    writer.endLine()
  }

  /// Tenths, within what can be written.
  package static func clampedTenths(_ value: Double) -> Double {
    min(max(0, value * 10), 1e15).rounded()
  }
}
