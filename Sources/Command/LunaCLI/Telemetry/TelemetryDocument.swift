import LunaCore
import LunaDocuments
import LunaTelemetry
import SafeText

/// Telemetry as JSON lines.
enum TelemetryDocument {
  static func append(_ status: TelemetryQueueStatus, to output: OutputBuffer) {
    var writer = JSONFieldWriter("telemetryStatus", in: output)
    writer.integer("waiting", Int64(status.waiting))
    writer.integer("bytes", Int64(status.bytes))
    if let oldest = status.oldest { writer.string("oldest", oldest.rfc3339) }
    if let sentAt = status.sentAt { writer.string("sentAt", sentAt.rfc3339) }
    if let problem = status.problem { writer.text("problem", ForeignText(problem)) }
    let setAside = status.setAside.mapValues { LossCount($0) }
    for (name, counts) in [("setAside" as StaticString, setAside), ("dropped", status.losses)] {
      writer.beginList(name)
      for (reason, loss) in counts.sorted(by: { $0.key < $1.key }) {
        writer.beginItem()
        writer.text("reason", ForeignText(reason))
        writer.integer("count", Int64(loss.count))
        if let since = loss.since { writer.string("since", since.rfc3339) }
        if let last = loss.last { writer.string("last", last.rfc3339) }
        writer.endItem()
      }
      writer.endList()
    }
    writer.endLine()
  }

  static func append(_ report: FlushReport, to output: OutputBuffer) {
    var writer = JSONFieldWriter("telemetryFlush", in: output)
    writer.integer("accepted", Int64(report.accepted))
    writer.integer("duplicates", Int64(report.duplicates))
    writer.integer("refused", Int64(report.setAside))
    writer.integer("samples", Int64(report.samples))
    writer.integer("waiting", Int64(report.waiting))
    writer.endLine()
  }
}
