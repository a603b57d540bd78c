import CommandSpec
import LunaDocuments
import LunaHome

/// What the commands about a home's file say of it.
struct HomeReport {
  let path: String
  let file: HomeFile
  let format: OutputFormat
  let output: OutputBuffer
  let diagnostics: Diagnostics

  /// Reads the file.
  init(
    _ named: String?, _ format: OutputFormat?, _ output: OutputBuffer, _ diagnostics: Diagnostics
  ) async throws {
    let path = try HomePath.existing(named)
    self.init(
      path, try await InputFile.read(path), OutputFormat.chosen(format), output, diagnostics)
  }

  init(
    _ path: String, _ bytes: [UInt8], _ format: OutputFormat, _ output: OutputBuffer,
    _ diagnostics: Diagnostics
  ) {
    self.path = path
    self.format = format
    self.output = output
    self.diagnostics = diagnostics
    file = HomeFile(bytes, in: .ofThisMachine)
  }

  /// Prints every problem.
  func tellProblems() {
    for problem in file.problems {
      guard format == .jsonl else {
        output.append(line: problem.description(file: path))
        continue
      }
      output.appendLine("problem") { writer in
        problem.write(to: &writer, file: path)
      }
    }
    if file.isUsable, file.isOlder {
      diagnostics.note(
        "luna: \(EscapedPath.text(path)) is of an older form, and is read as one of today's; "
          + "luna home migrate rewrites it")
    }
  }

  /// Tells each error on standard error, where what the command prints is something else.
  func tellErrors() {
    for problem in file.problems where problem.level == .error {
      diagnostics.warning("luna: \(problem.description(file: path))")
    }
  }

  /// Fails where the file cannot be used; its problems were told.
  func requireUsable() throws {
    guard !file.isUsable else { return }
    let count = file.problems.count { $0.level == .error }
    throw CommandFailure(
      .unreadableInput,
      "\(EscapedPath.text(path)) has \(count) error\(count == 1 ? "" : "s")",
      hint: file.missingCommas > 0
        ? "each is told above; luna home check --fix inserts missing commas"
        : "each is told above")
  }
}
