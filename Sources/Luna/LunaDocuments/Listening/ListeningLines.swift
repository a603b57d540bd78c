import Bluetooth

/// The JSON lines about listening itself, which all commands that listen have in common.
enum ListeningLines {
  /// A line about the radio or about losses.
  static func append(
    _ update: ListeningUpdate, adapter: String?, to output: OutputBuffer
  ) {
    switch update {
    case .listening: append(state: "listening", nil, adapter, to: output)
    case .recovering(let reason): append(state: "recovering", reason, adapter, to: output)
    case .lost(let reason): append(state: "lost", reason, adapter, to: output)
    case .dropped(let reason, let count):
      output.append("{\"type\":\"dropped\"")
      var writer = JSONFieldWriter(output, continuing: true)
      writer.string("reason", reason)
      writer.integer("count", Int64(clamping: count))
      output.append("}\n")
    }
  }

  private static func append(
    state: StaticString, _ reason: String?, _ adapter: String?, to output: OutputBuffer
  ) {
    output.append("{\"type\":\"state\"")
    var writer = JSONFieldWriter(output, continuing: true)
    writer.string("state", state)
    if let adapter { writer.string("adapter", adapter) }
    if let reason { writer.string("reason", reason) }
    output.append("}\n")
  }

  /// The last line.
  static func append(_ summary: ListenSummary, to output: OutputBuffer) {
    output.append("{\"type\":\"end\"")
    var writer = JSONFieldWriter(output, continuing: true)
    writer.integer("heard", Int64(clamping: summary.heard))
    writer.integer("shown", Int64(summary.shown))
    writer.beginItem("dropped")
    for loss in summary.dropped where loss.count > 0 {
      writer.integer(named: loss.reason, Int64(clamping: loss.count))
    }
    writer.endItem()
    let (seconds, attoseconds) = summary.duration.components
    writer.decimal(
      "seconds", seconds &* 1000 &+ attoseconds / 1_000_000_000_000_000, digits: 3)
    output.append("}\n")
  }
}
