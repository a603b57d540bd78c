import LunaBuzzer
import LunaDocuments
import TerminalTable

extension IdentityDocument {
  /// Prints a line of JSON, or several for a person.
  static func print(_ identity: TrackerIdentity, _ session: NearSession) {
    // Each on a line of its own, so that none of what a stranger sends can look like another.
    if session.printer.format != .jsonl {
      for line in lines(identity) {
        session.printer.line("identify", "identity", session.target, DisplayText.clean(line))
      }
      return
    }
    session.printer.line("identify", "identity", session.target, nil) { writer, _ in
      write(identity, to: &writer)
    }
  }
}
