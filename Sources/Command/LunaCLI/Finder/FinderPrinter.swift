import Bluetooth
import Glibc
import LunaCore
import LunaDocuments
import LunaFinder
import ServiceManager

/// Prints what a finder does: JSON lines, or a plain log.
struct FinderPrinter {
  let output: OutputBuffer
  let format: FinderFormat
  let diagnostics: Diagnostics
  /// What the first line says of a radio that never came.
  let fallback: SourceDescription
  /// Whether somebody looks on: then every sighting is told, which would fill a journal.
  private let isWatched = isatty(STDOUT_FILENO) == 1
  private var document = FinderDocument()
  /// What happened before the radio was there: the first line is about that. Nil from then on.
  private var early: [FinderUpdate]? = []
  /// Whether only what has ended it is still to come, which the command says at its own end: nobody has to read it
  /// twice.
  private var isOver = false
  /// What was done, for the last line.
  private(set) var tally = FinderTally()
  /// Why the last transfer failed; nil when it did not.
  private(set) var lastFailure: BackendError?
  /// Why the position is not known; nil when it is.
  private(set) var obstacle: String?
  /// Why the radio does not deliver, while it is being brought back; nil when it does.
  private(set) var trouble: String?

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
    if case .ended = update { isOver = true }
    try output.flush()
  }

  private mutating func count(_ update: FinderUpdate) {
    tally.take(update)
    switch update {
    case .uploaded: lastFailure = nil
    case .uploadFailed(let error, _): lastFailure = error
    case .state(.listening): trouble = nil
    // A step that brings one of several adapters back is no trouble while another one delivers.
    case .state(.recovering(_, let reason)), .state(.lost(_, let reason)): trouble = reason
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
    isOver = true
    // Of a run that never began there is the error alone.
    if early?.isEmpty == false { begin(fallback) }
    try output.flush()
  }

  /// The line at the end, for a person.
  var summary: String {
    var text = "\(tally.found) sightings queued, \(tally.uploaded) events uploaded"
    let lost = Dictionary(
      tally.dropped.map { (DropReason.noun($0), $1) }, uniquingKeysWith: +)
    for (noun, count) in lost.sorted(by: { $0.key > $1.key }) where count > 0 {
      text += ", \(count) \(noun)\(count == 1 ? "" : "s") lost"
    }
    let steps = tally.recoverySteps
    if steps > 0 { text += ", \(steps) step\(steps == 1 ? "" : "s") to recover" }
    return text
  }

  private func printText(_ update: FinderUpdate) {
    let (level, text) = FinderLog.line(update)
    if case .ended = update { return }
    guard level > .DEBUG || diagnostics.verbosity > 0 || isWatched else { return }
    let message = JournalStream.output.prefix(level.priority) + text
    for line in MessageLines.lines(message, on: STDOUT_FILENO) { output.append(line: line) }
  }

  private mutating func printJSON(_ update: FinderUpdate) {
    let (level, text) = FinderLog.line(update)
    var isTold = level == .ERROR
    if case .listening = update { isTold = true }
    if isTold, !isOver { diagnostics.note("luna: " + text) }
    document.append(update, to: output)
  }
}
