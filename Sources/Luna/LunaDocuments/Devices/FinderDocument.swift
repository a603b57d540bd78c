import Bluetooth
import Diagnosis
import LunaCore
package import LunaFinder
import LunaProtocol

extension FinderUpdate {
  /// The types of all lines but the first.
  package static let types = [
    "duty", "state", "recovery", "queue", "sighting", "region", "location", "upload", "command",
    "dropped", "end", "problem",
  ]

  /// The type of its line.
  package var type: StaticString {
    switch self {
    case .listening: "duty"
    case .state: "state"
    case .recovery: "recovery"
    case .queueRenewed: "queue"
    case .found: "sighting"
    case .entered, .exited: "region"
    case .located, .unlocated: "location"
    case .uploaded, .uploadFailed: "upload"
    case .commandStarted, .commandEnded, .confirmed: "command"
    case .dropped: "dropped"
    case .ended: "end"
    case .problem: "problem"
    }
  }
}

/// What a finder does, as JSON lines.
package struct FinderDocument: Sendable {
  private var timeText = TimeText()
  private var tally = FinderTally()

  /// A stream of lines that begins.
  package init() {}

  /// Appends the line of an update; that of `ended` counts those before.
  package mutating func append(_ update: FinderUpdate, to output: OutputBuffer) {
    tally.take(update)
    switch update {
    case .listening(_, let duty):
      output.appendLine(update.type) { $0.string("duty", duty.rawValue) }
    case .state(let state): FinderDocument.append(state, to: output)
    case .recovery(let step):
      output.appendLine(update.type) { RecoveryDocument.write(step, to: &$0) }
    case .queueRenewed(let reason, let lost, let setAside):
      output.appendLine(update.type) { writer in
        writer.string("event", "renewed" as StaticString)
        writer.string("reason", reason)
        if let lost { writer.integer("lost", Int64(lost)) }
        if let setAside { writer.string("setAside", setAside) }
      }
    case .found(let heid, let rssi, let time):
      let time = timeText.string(time)
      output.appendLine(update.type) { writer in
        writer.string("time", time)
        writer.string("heid", heid.description)
        if let rssi { writer.integer("rssi", Int64(rssi)) }
      }
    case .entered(let region): FinderDocument.append(region, "entered", to: output)
    case .exited(let region): FinderDocument.append(region, "exited", to: output)
    case .located, .unlocated: FinderDocument.appendLocation(update, to: output)
    case .uploaded, .uploadFailed: FinderDocument.appendUpload(update, to: output)
    case .commandStarted, .commandEnded, .confirmed:
      FinderDocument.appendCommand(update, to: output)
    case .dropped(let reason, let count):
      ListeningLines.append(
        .dropped(reason: reason, count: UInt64(clamping: count)), adapter: nil, to: output)
    case .ended(let heard, let duration):
      let losses = tally.dropped.sorted { $0.key < $1.key }
      ListeningLines.append(
        ListenSummary(
          heard: UInt64(clamping: heard), shown: tally.found,
          dropped: losses.map { (reason: $0.key, count: UInt64(clamping: $0.value)) },
          duration: duration),
        to: output)
    case .problem:
      output.appendLine(update.type) { $0.string("reason", FinderLog.line(update).text) }
    }
  }

  private static func append(_ state: FinderState, to output: OutputBuffer) {
    switch state {
    case .listening(let adapter):
      ListeningLines.append(.listening, adapter: adapter, to: output)
    case .recovering(let adapter, let reason):
      ListeningLines.append(.recovering(reason: reason), adapter: adapter, to: output)
    case .lost(let adapter, let reason):
      ListeningLines.append(.lost(reason: reason), adapter: adapter, to: output)
    case .underAttack(let rate):
      output.appendLine("state") { writer in
        writer.string("state", "underAttack" as StaticString)
        writer.integer("newPerMinute", Int64(rate))
      }
    }
  }

  private static func append(
    _ region: LunaRegion, _ event: StaticString, to output: OutputBuffer
  ) {
    output.appendLine("region") { writer in
      writer.string("event", event)
      writer.uuid("uuid", region.uuid)
      writer.integer("index", Int64(region.index))
    }
  }

  private static func appendLocation(_ update: FinderUpdate, to output: OutputBuffer) {
    output.appendLine(update.type) { writer in
      switch update {
      case .located(let fix):
        writer.boolean("known", true)
        writer.decimal("latitude", Int64((fix.latitude * 1e7).rounded()), digits: 7)
        writer.decimal("longitude", Int64((fix.longitude * 1e7).rounded()), digits: 7)
        if let accuracy = fix.horizontalAccuracy, accuracy < 1e9 {
          writer.decimal("horizontalAccuracy", Int64((accuracy * 10).rounded()), digits: 1)
        }
      case .unlocated(let reason):
        writer.boolean("known", false)
        writer.string("reason", reason)
      default: break
      }
    }
  }

  private static func appendUpload(_ update: FinderUpdate, to output: OutputBuffer) {
    output.appendLine(update.type) { writer in
      switch update {
      case .uploaded(let summary):
        writer.integer("events", Int64(summary.sent))
        writer.integer("accepted", Int64(summary.accepted))
        writer.integer("duplicates", Int64(summary.duplicates))
        writer.integer("rejected", Int64(summary.refused.values.reduce(0, +)))
        writer.integer("postponed", Int64(summary.postponed))
        writer.integer("commands", Int64(summary.commands))
        writer.integer("waiting", Int64(summary.waiting))
      case .uploadFailed(let error, let pause):
        writer.boolean("failed", true)
        for name in ["events" as StaticString, "accepted", "duplicates", "rejected"] {
          writer.integer(name, 0)
        }
        if let status = error.status { writer.integer("status", Int64(status)) }
        writer.string("reason", error.reason)
        if let remedy = error.remedy { writer.string("hint", remedy.description) }
        writer.integer("retryIn", pause.components.seconds)
      default: break
      }
    }
  }

  private static func appendCommand(_ update: FinderUpdate, to output: OutputBuffer) {
    output.appendLine(update.type) { writer in
      switch update {
      case .commandStarted(let id, let heid):
        writer.string("event", "started" as StaticString)
        writer.string("requestId", id)
        writer.string("heid", heid.description)
      case .commandEnded(let id, let heid, let outcome):
        writer.string("event", outcome.kind.rawValue)
        writer.string("requestId", id)
        writer.string("heid", heid.description)
        if let receipt = outcome.receipt { writer.hex("receipt", receipt.span) }
        if let detail = outcome.detail { writer.string("detail", detail) }
      case .confirmed(let id, let refusal):
        writer.string("event", "confirmed" as StaticString)
        writer.string("requestId", id)
        if let refusal { writer.string("refusal", refusal.reason) }
      default: break
      }
    }
  }

  /// The same for a program that finds it in its environment, without what only the line tells.
  package static func variables(of update: FinderUpdate) -> [(name: String, value: String)] {
    switch update {
    case .state(.listening): [("LUNA_LISTENING", "listening")]
    case .state(.recovering(_, let reason)):
      [("LUNA_LISTENING", "recovering"), ("LUNA_REASON", reason)]
    case .state(.lost(_, let reason)): [("LUNA_LISTENING", "lost"), ("LUNA_REASON", reason)]
    case .state(.underAttack): [("LUNA_LISTENING", "underAttack")]
    case .found(let heid, let rssi, let time):
      [("LUNA_HEID", heid.description), ("LUNA_TIME", time.rfc3339)]
        + (rssi.map { [("LUNA_RSSI", String($0))] } ?? [])
    case .unlocated(let reason), .dropped(let reason, _), .queueRenewed(let reason, _, _):
      [("LUNA_REASON", reason)]
    case .uploaded(let summary): [("LUNA_WAITING", String(summary.waiting))]
    case .uploadFailed(let error, _): [("LUNA_REASON", error.reason)]
    case .commandStarted(let id, let heid):
      [("LUNA_REQUEST", id), ("LUNA_HEID", heid.description), ("LUNA_OUTCOME", "started")]
    case .commandEnded(let id, let heid, let outcome):
      [
        ("LUNA_REQUEST", id), ("LUNA_HEID", heid.description),
        ("LUNA_OUTCOME", outcome.kind.rawValue),
      ]
    case .confirmed(let id, _): [("LUNA_REQUEST", id), ("LUNA_OUTCOME", "confirmed")]
    case .problem: [("LUNA_REASON", FinderLog.line(update).text)]
    case .listening, .recovery, .entered, .exited, .located, .ended: []
    }
  }
}
