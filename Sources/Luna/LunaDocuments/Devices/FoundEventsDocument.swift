import LunaCore
package import LunaOwner

/// What came of looking for events, as the JSON line behind them.
package enum FoundEventsDocument {
  package static func append(_ found: FoundEvents, to output: OutputBuffer) {
    output.appendLine("summary") { writer in
      writer.integer("events", Int64(found.events.count))
      writer.integer("implausible", Int64(found.implausible))
      writer.beginList("unopened")
      for (reason, count) in found.unopened.sorted(by: { $0.key < $1.key }) {
        writer.beginItem()
        writer.string("reason", reason)
        writer.integer("count", Int64(count))
        writer.endItem()
      }
      writer.endList()
      writer.integer("periods", Int64(found.periods))
      writer.integer("requests", Int64(found.requests))
    }
  }
}
