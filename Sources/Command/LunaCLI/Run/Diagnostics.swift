import Glibc
import SafeText
import Synchronization

/// Lines on standard error, one write each. `quiet` and `verbose` of the command line decide which.
///
/// Every message is one line, whatever is in it: what others wrote cannot begin another.
final class Diagnostics: Sendable {
  private let quiet: Bool
  /// How often `-v` was given.
  let verbosity: Int
  /// Lines are held back while a live table owns the terminal.
  private let held: Mutex<[String]?> = Mutex(nil)

  init(quiet: Bool, verbosity: Int) {
    self.quiet = quiet
    self.verbosity = verbosity
  }

  /// Something a person should know: which path was taken, a summary.
  func note(_ text: String) { if !quiet { line(text) } }

  /// Something only interesting with `-v`.
  func detail(_ text: String) { if verbosity > 0 { line(text) } }

  /// An error; shown whatever is asked for.
  func error(_ failure: CommandFailure) {
    let text = failure.reason + (failure.hint.map { "; \($0)" } ?? "")
    // What the parser says begins with the command's name already.
    line(text.hasPrefix("luna") ? text : "luna: " + text)
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

  private func line(_ text: String) {
    let kept = held.withLock { lines in
      lines?.append(text)
      return lines != nil
    }
    if !kept { Diagnostics.write(text) }
  }

  private static func write(_ text: String) {
    var line = EscapedText.line(text) + "\n"
    line.withUTF8 { bytes in
      // Nobody is left to tell when standard error cannot be written.
      _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
  }
}
