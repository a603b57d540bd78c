import CommandSpec
import Glibc
import TerminalTable

/// What a command line asks for, together with the environment and the configuration files.
enum CommandLineReading {
  /// Print this.
  case text(String)
  /// Do this; and whether errors are told as JSON, too.
  case action(LunaCommand.Action, tellsJSON: Bool)

  /// Reads everything, the files anew each time.
  ///
  /// - Parameter isAgain: whether it was read before: what may not be read any more then held, and is no longer done
  ///   without.
  init(_ words: [String], isAgain: Bool = false) async throws {
    let request = try LunaCommand.tree(for: words).parse(
      words, width: Terminal.standardOutputWidth ?? HelpText.widest)
    guard case .run(var match) = request else {
      self =
        switch request {
        case .help(let text), .specification(let text): .text(text)
        case .version, .run: .text("luna \(Version.text)\n")
        }
      return
    }
    try match.merge { getenv($0).map { String(cString: $0) } }
    // Who looks for mistakes in files is not kept from it by them.
    if match.path.dropFirst().first != ConfigCommand.name {
      var skipped: [CommandFailure] = []
      let files = try await ConfigurationFiles.read(
        named: match.text(of: "config"), skipped: &skipped)
      if isAgain, let failure = skipped.first { throw failure }
      if !files.isEmpty, case .run(let whole) = try LunaCommand.tree.parse(words) {
        // A file may speak of any command.
        match = whole
        try match.merge { getenv($0).map { String(cString: $0) } }
        for file in files.reversed() { try match.merge(file) }
      }
      let diagnostics = Diagnostics(quiet: match.isOn("quiet"), verbosity: 0)
      for failure in skipped { diagnostics.note("luna: \(failure.reason); it is left out") }
    }
    self = .action(try match.resolve(), tellsJSON: match.text(of: "format") == "jsonl")
  }
}
