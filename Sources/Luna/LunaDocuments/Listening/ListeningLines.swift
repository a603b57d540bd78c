package import Bluetooth

/// The JSON lines about listening itself, which all commands that listen have in common.
package enum ListeningLines {
  /// A line about the radio or about losses.
  package static func append(
    _ update: ListeningUpdate, adapter: String?, to output: OutputBuffer
  ) {
    switch update {
    case .listening: append(state: "listening", nil, adapter, to: output)
    case .recovering(let reason): append(state: "recovering", reason, adapter, to: output)
    case .lost(let reason): append(state: "lost", reason, adapter, to: output)
    case .recovery(let step):
      output.appendLine("recovery") { RecoveryDocument.write(step, to: &$0) }
    case .dropped(let reason, let count):
      output.appendLine("dropped") { writer in
        writer.string("reason", reason)
        writer.integer("count", Int64(clamping: count))
      }
    }
  }

  private static func append(
    state: StaticString, _ reason: String?, _ adapter: String?, to output: OutputBuffer
  ) {
    output.appendLine("state") { writer in
      writer.string("state", state)
      if let adapter { writer.string("adapter", adapter) }
      if let reason { writer.string("reason", reason) }
    }
  }

  /// The last line.
  ///
  /// - Parameter more: what a command has to say besides.
  package static func append(
    _ summary: ListenSummary, to output: OutputBuffer,
    _ more: (inout JSONFieldWriter) -> Void = { _ in }
  ) {
    var writer = JSONFieldWriter("end", in: output)
    writer.integer("heard", Int64(clamping: summary.heard))
    writer.integer("shown", Int64(summary.shown))
    writer.beginItem("dropped")
    for loss in summary.dropped where loss.count > 0 {
      writer.integer(named: loss.reason, Int64(clamping: loss.count))
    }
    writer.endItem()
    writer.decimal("seconds", summary.duration.wholeMilliseconds, digits: 3)
    more(&writer)
    writer.endLine()
  }
}
