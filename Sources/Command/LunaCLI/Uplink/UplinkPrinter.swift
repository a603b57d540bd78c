import Glibc
import LunaDocuments
import LunaJSON
import LunaStore
import LunaUplink
import UplinkProtocol

/// What a check says while it runs, and at its end.
struct UplinkPrinter {
  private let output: OutputBuffer
  private let format: OutputFormat
  private let diagnostics: Diagnostics
  private let pace: ProgressPace

  init(_ output: OutputBuffer, _ format: OutputFormat, _ diagnostics: Diagnostics) {
    self.output = output
    self.format = format
    self.diagnostics = diagnostics
    // A person has a line each time.
    pace = format == .jsonl ? ProgressPace() : ProgressPace(.seconds(5))
  }

  var notes: Diagnostics { diagnostics }

  /// Something begins.
  ///
  /// - Parameters:
  ///   - share: how much of the check is done.
  ///   - isAgain: whether the same has begun before.
  func tell(
    _ moment: WeheClient.Moment, of app: String, share: Double, isAgain: Bool = false
  ) throws {
    let state =
      switch moment {
      case _ where isAgain: "again"
      case .replay(let isControl): isControl ? "control" : "original"
      case .result: "waiting"
      case .step(let step): step.rawValue
      }
    if case .step = moment {
      // For who waits: in lines of JSON there is nothing between two replays.
      if format != .jsonl { tell(waiting: "luna: \(app): \(state)") }
      return
    }
    try tell(state: state, share: share, of: app)
  }

  /// Nobody waits for what goes into a journal.
  private func tell(waiting text: String) {
    isatty(STDERR_FILENO) == 1 ? diagnostics.note(text) : diagnostics.detail(text)
  }

  /// Something of a check by pairs begins.
  func tell(_ moment: PairClient.Moment, of profile: String) throws {
    var line: JSONObject = ["type": "progress", "app": .string(profile)]
    var text: String
    switch moment {
    case .queued(let place):
      line.append("state", "queued")
      line.append("place", .integer(Int64(place)))
      text = "others are first, place \(place)"
    case .allowed:
      line.append("state", "allowed")
      text = "allowed"
    case .slot(let kind, let done, let count, let left, let rate):
      guard pace.isDue() else { return }
      let share = Double(done) / Double(count)
      line.append("state", .string(kind.rawValue))
      line.append("share", .real(share))
      text = "\(kind.rawValue), \(Int(share * 100)) % done"
      if let rate {
        let mbps = rate * 8 / 1e6
        line.append("mbps", .real(mbps))
        text += ", \((mbps * 10).rounded() / 10) Mbit/s"
      }
      if let left {
        line.append("bytesLeft", .integer(Int64(left)))
        text += ", \((Double(left) / 1e5).rounded() / 10) MB left"
      }
    }
    guard format == .jsonl else { return tell(waiting: "luna: \(profile): \(text)") }
    output.append(line: JSONValue.object(line).description)
    try output.flush()
  }

  /// A run of a localization begins.
  func tell(_ moment: PairLocator.Moment, of profile: String) throws {
    switch moment {
    case .queued(let place): try tell(PairClient.Moment.queued(place: place), of: profile)
    case .run(let run, let share):
      guard pace.isDue() else { return }
      try tell(state: run.rawValue, share: share, of: profile)
    }
  }

  /// Something of a localization with servers of Wehe's begins.
  func tell(_ moment: WeheLocator.Moment, of app: String) throws {
    switch moment {
    case .replays(let isControl):
      try tell(
        state: isControl ? "bothControls" : "bothOriginals", share: isControl ? 0.5 : 0, of: app)
    case .results: try tell(state: "comparing", share: 1, of: app)
    case .place: try tell(state: "waiting", share: 1, of: app)
    }
  }

  private func tell(state: String, share: Double, of app: String) throws {
    guard format == .jsonl else {
      return diagnostics.note("luna: \(app): \(state), \(Int(share * 100)) % done")
    }
    let line: JSONObject = [
      "type": "progress", "app": .string(app), "state": .string(state), "share": .real(share),
    ]
    output.append(line: JSONValue.object(line).description)
    try output.flush()
  }

  /// A result.
  func show(_ record: UplinkRecord) throws {
    if format == .jsonl {
      output.append(line: record.document)
    } else {
      for line in ResultText(record.document).lines { output.append(line: line) }
    }
    try output.flush()
  }
}
