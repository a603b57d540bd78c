import FileOutput
import Glibc
import SafeText
import ServiceManager
import Synchronization

/// Lines on standard error, one write each. `quiet` and `verbose` of the command line decide which.
///
/// Every message is one line, whatever is in it: what others wrote cannot begin another. Only a terminal that is too
/// narrow for one gets it in several.
final class Diagnostics: Sendable {
  private let quiet: Bool
  /// How often `-v` was given.
  let verbosity: Int
  /// Whether it is recorded which command is used.
  let recordsUse: Bool
  /// Lines are held back while a live table owns the terminal.
  private let held: Mutex<[Line]?> = Mutex(nil)

  private struct Line: Sendable {
    let priority: JournalPriority
    let text: String
  }

  init(quiet: Bool, verbosity: Int, recordsUse: Bool = false) {
    self.quiet = quiet
    self.recordsUse = recordsUse
    self.verbosity = verbosity
  }

  /// Something a person should know: which path was taken, a summary.
  func note(_ text: String) { if !quiet { line(.info, text) } }

  /// Something that may need a person, or passes by itself.
  func warning(_ text: String) { if !quiet { line(.warning, text) } }

  /// What was asked for by a signal; shown whatever is asked for on the command line.
  func answer(_ text: String) { line(.info, text) }

  /// Something only interesting with `-v`.
  func detail(_ text: String) { if verbosity > 0 { line(.debug, text) } }

  /// An error; shown whatever is asked for.
  func error(_ failure: CommandFailure) {
    let text = failure.reason + (failure.hint.map { "; \($0)" } ?? "")
    // What the parser says begins with the command's name already.
    let isNamed = text.hasPrefix("luna ") || text.hasPrefix("luna:")
    line(.error, isNamed ? text : "luna: " + text)
  }

  /// Keeps lines until `release`.
  func hold() { held.withLock { $0 = $0 ?? [] } }

  /// Writes what was kept, and further lines at once.
  func release() {
    let lines = held.withLock { kept in
      defer { kept = nil }
      return kept ?? []
    }
    lines.forEach(Diagnostics.write)
  }

  private func line(_ priority: JournalPriority, _ text: String) {
    let line = Line(priority: priority, text: text)
    let kept = held.withLock { lines in
      lines?.append(line)
      return lines != nil
    }
    if !kept { Diagnostics.write(line) }
  }

  private static func write(_ line: Line) {
    let prefix = JournalStream.error.prefix(line.priority)
    var line = prefix + MessageLines.folded(EscapedText.line(line.text)) + "\n"
    line.withUTF8 { bytes in
      OutputProgress.ofThisProcess.begin()
      defer { OutputProgress.ofThisProcess.end() }
      // Nobody is left to tell when standard error cannot be written.
      _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
  }
}
