import SafeText

/// What holds for options, a line each, with where it was said.
public struct ConfigurationOverview<Outcome> {
  /// What holds for an option of a command.
  public struct Line: Sendable, Equatable {
    /// The command, or the section in which it was said; empty for all.
    public let command: String
    /// The long name of the option.
    public let option: String
    /// As it was written, without passwords; nil for a secret, and where there is none.
    public let value: String?
    /// Where it was said.
    public let origin: Setting.Origin
  }

  private let root: CommandNode<Outcome>
  private let files: [ConfigurationFile]
  private let environment: (String) -> String?
  /// How many mistakes there are in the words and values.
  public let mistakes: Int

  /// - Parameter files: the later ones win.
  public init(
    _ root: CommandNode<Outcome>, _ files: [ConfigurationFile],
    _ environment: @escaping (String) -> String?
  ) {
    self.root = root
    self.files = files
    self.environment = environment
    let check = ConfigurationCheck(root)
    mistakes =
      check.problems(withEnvironment: environment).count
      + files.reduce(0) { $0 + check.problems(with: $1).count }
  }

  /// All options of a command.
  public func all(of words: [String]) throws(UsageError) -> [Line] {
    let command = words.joined(separator: " ")
    let settings = try root.settings(of: words, files: files, environment: environment)
    return settings.map { line($0, command) }
  }

  /// All that was said, where it was said; and what holds by itself of what commands share.
  public func said() throws(UsageError) -> [Line] {
    var lines: [Line] = []
    var shared: [Setting] = []
    for page in root.description.pages() where page.command.isRunnable {
      let words = Array(page.path.dropFirst())
      for setting in try root.settings(of: words, files: files, environment: environment) {
        guard setting.origin != .usual else {
          if setting.option.variable != nil { shared.append(setting) }
          continue
        }
        let line = line(setting, section(of: setting))
        if !lines.contains(line) { lines.append(line) }
      }
    }
    var known = Set(lines.filter { $0.command.isEmpty }.map(\.option))
    for setting in shared where known.insert(setting.option.long).inserted {
      lines.append(line(setting, ""))
    }
    return lines
  }

  private func section(of setting: Setting) -> String {
    guard case .file(let name, let number) = setting.origin else { return "" }
    let file = files.last { $0.name == name }
    return file?.section(ofLine: number).joined(separator: " ") ?? ""
  }

  private func line(_ setting: Setting, _ command: String) -> Line {
    Line(
      command: command, option: setting.option.long,
      value: setting.option.isSecret ? nil : setting.value.map { SecretText.hiding($0) },
      origin: setting.origin)
  }
}
