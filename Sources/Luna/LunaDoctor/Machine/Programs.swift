import ChildProcess

/// Other programs that are asked something. What they have to say on standard error is not heard.
enum Programs {
  /// What a command for the shell writes, when it ends well; nil otherwise.
  ///
  /// - Parameter words: its arguments, `$0` first.
  static func output(_ command: String, _ words: [String] = []) async -> String? {
    let shell = "sh -c".split(separator: " ").map { String($0) }
    let line = shell + ["\(command) 2>/dev/null"] + words
    guard let run = try? await ProgramRun.run(line), run.status == 0 else { return nil }
    return String(decoding: run.output, as: UTF8.self)
  }

  /// What a program says its version is: the last word of its first line.
  static func version(of path: String) async -> String? {
    await output("exec \"$0\" --version", [path])?
      .split(separator: "\n").first?.split(separator: " ").last.map { String($0) }
  }
}
