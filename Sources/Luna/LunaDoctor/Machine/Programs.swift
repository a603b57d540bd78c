import ChildProcess

/// Other programs that are asked something. What they have to say on standard error is not heard.
enum Programs {
  /// How long one may take, as long as a check. Who does not know `--version` may have begun to work instead.
  static let patience = Duration.seconds(12)

  /// What a command for the shell writes, when it ends well; nil otherwise.
  ///
  /// - Parameters:
  ///   - words: its arguments, `$0` first.
  ///   - limit: when it is ended.
  static func output(
    _ command: String, _ words: [String] = [], within limit: Duration = patience
  ) async -> String? {
    let shell = "sh -c".split(separator: " ").map { String($0) }
    let line = shell + ["\(command) 2>/dev/null"] + words
    guard let run = try? await ProgramRun.run(line, within: limit), run.status == 0 else {
      return nil
    }
    return String(decoding: run.output, as: UTF8.self)
  }

  /// What a program says its version is: the last word of its first line.
  static func version(of path: String, within limit: Duration = patience) async -> String? {
    await output("exec \"$0\" --version", [path], within: limit)?
      .split(separator: "\n").first?.split(separator: " ").last.map { String($0) }
  }
}
