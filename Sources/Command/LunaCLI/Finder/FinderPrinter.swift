import Bluetooth
import Glibc
import LunaCore
import LunaFinder
import LunaProtocol

/// Prints what a finder does: JSON lines, or a plain log.
struct FinderPrinter {
  let output: OutputBuffer
  let format: FinderFormat
  let diagnostics: Diagnostics
  /// What the first line says of a radio that never came.
  let fallback: SourceDescription
  /// Whether somebody looks on: then every sighting is told, which would fill a journal.
  private let isWatched = isatty(STDOUT_FILENO) == 1
  private var timeText = TimeText()
  /// What happened before the radio was there: the first line is about that. Nil from then on.
  private var early: [FinderUpdate]? = []
  /// What was done, for the last line.
  private(set) var found = 0
  private(set) var uploaded = 0
  private(set) var dropped: [String: Int] = [:]
  /// Why the last transfer failed; nil when it did not.
  private(set) var lastFailure: BackendError?
  /// Why the position is not known; nil when it is.
  private(set) var obstacle: String?

  init(
    _ output: OutputBuffer, _ format: FinderFormat, _ diagnostics: Diagnostics,
    fallback: SourceDescription
  ) {
    self.fallback = fallback
    self.output = output
    self.format = format
    self.diagnostics = diagnostics
  }

  mutating func print(_ update: FinderUpdate) throws(OutputBuffer.WriteError) {
    count(update)
    switch format {
    case .text: printText(update)
    case .jsonl:
      switch update {
      case .listening(let source, _): begin(source)
      case .ended: begin(fallback)
      default: break
      }
      if early == nil { printJSON(update) } else { early?.append(update) }
    }
    try output.flush()
  }

  private mutating func count(_ update: FinderUpdate) {
    switch update {
    case .found: found += 1
    case .uploaded(let summary):
      uploaded += summary.accepted + summary.duplicates
      lastFailure = nil
    case .uploadFailed(let error, _): lastFailure = error
    case .dropped(let reason, let count): dropped[reason, default: 0] += count
    case .located: obstacle = nil
    case .unlocated(let reason): obstacle = reason
    default: break
    }
  }

  /// Prints the first line, and what happened before; once.
  private mutating func begin(_ source: SourceDescription) {
    guard let early else { return }
    StartLine.append(source, to: output)
    self.early = nil
    for update in early { printJSON(update) }
  }

  /// Prints what waits for a radio that never came.
  mutating func finish() throws(OutputBuffer.WriteError) {
    guard format == .jsonl else { return }
    // Of a run that never began there is the error alone.
    if early?.isEmpty == false { begin(fallback) }
    try output.flush()
  }

  /// The line at the end, for a person.
  var summary: String {
    var text = "\(found) sightings queued, \(uploaded) events uploaded"
    let lost = dropped.values.reduce(0, +)
    if lost > 0 { text += ", \(lost) sightings lost" }
    return text
  }

  private func printText(_ update: FinderUpdate) {
    let (level, text) = FinderLog.line(update)
    if case .ended = update { return }
    guard level > .DEBUG || diagnostics.verbosity > 0 || isWatched else { return }
    output.append(line: text)
  }

  private mutating func printJSON(_ update: FinderUpdate) {
    let (level, text) = FinderLog.line(update)
    if case .listening(_, let duty) = update {
      diagnostics.note("luna: " + text)
      return begin("duty") { $0.string("duty", duty.rawValue) }
    }
    if level == .ERROR { diagnostics.note("luna: " + text) }
    switch update {
    case .listening: break
    case .found(let heid, let rssi, let time):
      let time = timeText.string(time)
      begin("sighting") { writer in
        writer.string("time", time)
        writer.string("heid", heid.description)
        if let rssi { writer.integer("rssi", Int64(rssi)) }
      }
    case .entered(let region): print(region, "entered")
    case .exited(let region): print(region, "exited")
    case .located(let fix):
      begin("location") { writer in
        writer.boolean("known", true)
        writer.decimal("latitude", Int64((fix.latitude * 1e7).rounded()), digits: 7)
        writer.decimal("longitude", Int64((fix.longitude * 1e7).rounded()), digits: 7)
        if let accuracy = fix.horizontalAccuracy, accuracy < 1e9 {
          writer.decimal("horizontalAccuracy", Int64((accuracy * 10).rounded()), digits: 1)
        }
      }
    case .unlocated(let reason):
      begin("location") { writer in
        writer.boolean("known", false)
        writer.string("reason", reason)
      }
    case .uploaded(let summary): print(summary)
    case .state(let state): print(state)
    case .queueRenewed(let reason, let lost, let setAside):
      begin("queue") { writer in
        writer.string("event", "renewed")
        writer.string("reason", reason)
        writer.integer("lost", Int64(lost))
        if let setAside { writer.string("setAside", setAside) }
      }
    case .uploadFailed(let error, let pause):
      begin("upload") { writer in
        writer.boolean("failed", true)
        for name in ["events" as StaticString, "accepted", "duplicates", "rejected"] {
          writer.integer(name, 0)
        }
        if let status = error.status { writer.integer("status", Int64(status)) }
        writer.string("reason", error.reason)
        if let hint = error.hint { writer.string("hint", hint) }
        writer.integer("retryIn", pause.components.seconds)
      }
    case .commandStarted(let id, let heid): print(id, heid, "started", nil)
    case .commandEnded(let id, let heid, let outcome):
      print(id, heid, outcome.kind.rawValue, outcome)
    case .confirmed(let id, let refusal):
      begin("command") { writer in
        writer.string("event", "confirmed")
        writer.string("requestId", id)
        if let refusal { writer.string("refusal", refusal.reason) }
      }
    case .dropped(let reason, let count):
      begin("dropped") { writer in
        writer.string("reason", reason)
        writer.integer("count", Int64(count))
      }
    case .ended(let heard, let duration): printEnd(heard, duration)
    case .problem:
      begin("problem") { $0.string("reason", text) }
    }
  }

  private func print(_ state: FinderState) {
    begin("state") { writer in
      switch state {
      case .listening(let adapter):
        writer.string("state", "listening")
        writer.string("adapter", adapter)
      case .recovering(let adapter, let reason):
        writer.string("state", "recovering")
        writer.string("adapter", adapter)
        writer.string("reason", reason)
      case .lost(let adapter, let reason):
        writer.string("state", "lost")
        writer.string("adapter", adapter)
        writer.string("reason", reason)
      case .underAttack(let rate):
        writer.string("state", "underAttack")
        writer.integer("newPerMinute", Int64(rate))
      }
    }
  }

  private func printEnd(_ heard: Int, _ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    begin("end") { writer in
      writer.integer("heard", Int64(heard))
      writer.integer("shown", Int64(found))
      writer.beginMap("dropped")
      for (reason, count) in dropped.sorted(by: { $0.key < $1.key }) {
        writer.integer(named: reason, Int64(count))
      }
      writer.endMap()
      writer.decimal(
        "seconds", seconds * 1000 + attoseconds / 1_000_000_000_000_000, digits: 3)
    }
  }

  private func begin(_ type: StaticString, _ body: (inout JSONFieldWriter) -> Void) {
    output.append("{\"type\":\"")
    output.append(type)
    output.append("\"")
    var writer = JSONFieldWriter(output, continuing: true)
    body(&writer)
    output.append("}\n")
  }

  private func print(_ region: LunaRegion, _ event: StaticString) {
    begin("region") { writer in
      writer.string("event", event)
      writer.uuid("uuid", region.uuid)
      writer.integer("index", Int64(region.index))
    }
  }

  private func print(_ summary: UploadSummary) {
    begin("upload") { writer in
      writer.integer("events", Int64(summary.sent))
      writer.integer("accepted", Int64(summary.accepted))
      writer.integer("duplicates", Int64(summary.duplicates))
      writer.integer("rejected", Int64(summary.refused.values.reduce(0, +)))
      writer.integer("postponed", Int64(summary.postponed))
      writer.integer("commands", Int64(summary.commands))
      writer.integer("waiting", Int64(summary.waiting))
    }
  }

  private func print(
    _ id: String, _ heid: HEID, _ event: String, _ outcome: CommandOutcome?
  ) {
    begin("command") { writer in
      writer.string("event", event)
      writer.string("requestId", id)
      writer.string("heid", heid.description)
      if let receipt = outcome?.receipt { writer.hex("receipt", receipt.span) }
      if let detail = outcome?.detail { writer.string("detail", detail) }
    }
  }
}
