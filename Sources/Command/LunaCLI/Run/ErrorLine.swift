import LunaDocuments

/// Whether an error is also the last JSON line of standard output: only where somebody asked for
/// JSON lines by name, since a program that reads them then knows what it reads.
enum ErrorLine {
  /// Whether `--format jsonl` was given, on the command line, in a file or in the environment.
  @TaskLocal static var isWanted = false

  /// Whether the words of a command line that could not be parsed ask for JSON lines.
  static func isWanted(by words: [String]) -> Bool {
    zip(words, words.dropFirst()).contains { $0 == "--format" && $1 == "jsonl" }
      || words.contains("--format=jsonl")
  }

  static func append(_ failure: CommandFailure, to output: OutputBuffer) {
    var writer = JSONFieldWriter("error", in: output)
    writer.integer("code", Int64(failure.code.rawValue))
    writer.string("reason", failure.reason)
    if let hint = failure.hint { writer.string("hint", hint) }
    if let name = failure.name { writer.string("error", name) }
    if let code = failure.weheCode { writer.integer("weheCode", Int64(code)) }
    writer.endLine()
  }
}
