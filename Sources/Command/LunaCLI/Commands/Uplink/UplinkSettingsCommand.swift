import CommandSpec
import EventLoop
import Glibc
import LunaDocuments
import LunaTables
import TerminalTable

/// `luna uplink settings`: what holds for checks, and what is to hold.
struct UplinkSettingsCommand: Sendable {
  private static let words = ["uplink", "check"]
  /// The section of the configuration file.
  private static let section = words.joined(separator: " ")
  /// Keys that are called otherwise than the options that they stand for.
  private static let otherNames = ["ca": "ca-file", "confirmation": "confirm"]

  var key: String?
  var value: String?
  var clears = false
  var output = OutputOptions()
  var general = GeneralOptions()

  static let command = Command(
    "settings", "Show what holds for uplink checks and who said so, or set it.",
    discussion: [
      "The settings are the long options of luna uplink check (budgetMetered is budget-metered). With a VALUE, "
        + "it is written into the section [uplink check] of your own configuration file at once; --defaults takes "
        + "all out of that. What the command line says still wins."
    ],
    initial: UplinkSettingsCommand(),
    arguments: [
      .optional("KEY", "A setting, such as budget", \.key, .text),
      .optional("VALUE", "What is to hold from now on", \.value, .text),
    ],
    groups: [
      OptionGroup(
        "Options", [.flag("defaults", "Take all that was set out of your file", \.clears)]),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna uplink settings", "With what would luna uplink check run?"),
      Example("luna uplink settings budget 50M", "At most 50 MB in a check from now on"),
    ],
    exitStatuses: ExitCode.uplinkStatuses,
    check: { options throws(ValueProblem) in
      guard !options.clears || options.key == nil else {
        throw ValueProblem("--defaults is for all settings", remedy: "leave out the KEY")
      }
    })

  /// The option that the key stands for: `budgetMetered` is `budget-metered`.
  private var option: String? {
    key.map { key in
      UplinkSettingsCommand.otherNames[key]
        ?? key.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
    }
  }

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let format = OutputFormat.chosen(self.output.format)
    return await CommandRun(output, general.diagnostics).run {
      if let option, let value {
        try check(option, value)
        try await change { $0.set(option, to: value, in: UplinkSettingsCommand.section) }
      } else if clears {
        try await change { $0.clear(UplinkSettingsCommand.section) }
      }
      let lines = try await lines()
      if format == .jsonl {
        for line in lines { line.append(to: output) }
      } else {
        ColumnTable.append(
          ConfigurationOverview<LunaCommand.Action>.Line.titles, lines.map(\.cells), to: output)
      }
      return .done
    }
  }

  /// What holds now.
  private func lines() async throws -> [ConfigurationOverview<LunaCommand.Action>.Line] {
    let files = await ConfigurationFiles.look(named: general.config).compactMap(\.file)
    let overview = ConfigurationOverview(LunaCommand.tree, files) { name in
      getenv(name).map { String(cString: $0) }
    }
    let all = try overview.all(of: UplinkSettingsCommand.words)
    guard let option else { return all }
    let lines = all.filter { $0.option == option }
    guard !lines.isEmpty else {
      throw CommandFailure(
        .usage, "there is no setting \(option)", hint: "luna uplink settings shows all of them")
    }
    return lines
  }

  /// Refuses what the check would not take.
  private func check(_ option: String, _ value: String) throws(CommandFailure) {
    let text = "[\(UplinkSettingsCommand.section)]\n\(option) = \(value)\n"
    let file: ConfigurationFile
    do throws(UsageError) {
      file = try ConfigurationFile(text.utf8, name: option)
    } catch {
      throw CommandFailure(error)
    }
    if let problem = ConfigurationCheck(LunaCommand.tree).problems(with: file).first {
      throw CommandFailure(problem)
    }
    guard file.count == 1 else {
      throw CommandFailure(.usage, "that is no setting", hint: "give a KEY and a VALUE on one line")
    }
  }

  private func change(
    _ change: @escaping @Sendable (inout ConfigurationText) -> Void
  ) async throws(CommandFailure) {
    guard let path = ConfigurationFiles.user else {
      throw CommandFailure(
        .usage, "there is no place for a configuration file of yours", hint: "set HOME")
    }
    try await Blocking.run { () throws(CommandFailure) in
      let isThere = access(path, F_OK) == 0
      let bytes = try isThere ? InputFile.readInPlace(path) : []
      var text = ConfigurationText(String(decoding: bytes, as: UTF8.self))
      change(&text)
      if let end = path.lastIndex(of: "/") { try StateDirectoryMaker.make(String(path[..<end])) }
      try OutputFile.write(Array(text.text.utf8), to: path, replacing: true)
    }
  }
}
