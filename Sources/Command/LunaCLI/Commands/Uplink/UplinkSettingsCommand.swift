import CommandSpec
import EventLoop
import FileOutput
import Glibc
import LunaDocuments
import LunaTables

/// `luna uplink settings`: what holds for checks, and what is to hold.
struct UplinkSettingsCommand: Sendable {
  private static let words = ["uplink", "check"]
  /// Where settings are that only localizations have.
  private static let locateWords = ["uplink", "locate"]
  /// Keys that are called otherwise than the options that they stand for.
  private static let otherNames = ["ca": "ca-file", "confirmation": "confirm"]
  /// Options of localizations, by what the keys are called that stand for them.
  private static let ofLocate = [
    "mwu-p-value": "mwu-p-value", "correlation-p-value": "correlation-p-value",
    "correlation-share": "correlation-share", "simulate-locate": "simulate",
  ]

  var key: String?
  var value: String?
  var clears = false
  var output = OutputOptions()
  var general = GeneralOptions()

  static let command = Command(
    "settings", "Show what holds for uplink checks and who said so, or set it.",
    discussion: [
      "The settings are the long options of luna uplink check (budgetMetered is budget-metered). With a VALUE, "
        + "it is written into the section [uplink check] of your own configuration file at once, or [uplink locate] "
        + "for mwuPValue, correlationPValue, correlationShare and simulateLocate; --defaults takes all out of "
        + "both and of [uplink], or what the KEY set. What the command line says still wins."
    ],
    initial: UplinkSettingsCommand(),
    arguments: [
      .optional("KEY", "A setting, such as budget", \.key, .text),
      .optional("VALUE", "What is to hold from now on", \.value, .text),
    ],
    groups: [
      OptionGroup(
        "Options",
        [.flag("defaults", "Take what was set out of your file: the KEY, else all", \.clears)]),
      OutputOptions.group.scoped(to: \.output),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna uplink settings", "With what would luna uplink check run?"),
      Example("luna uplink settings budget 50M", "At most 50 MB in a check from now on"),
      Example("luna uplink settings budget --defaults", "As much as by itself again"),
    ],
    exitStatuses: ExitCode.uplinkStatuses,
    check: { options throws(ValueProblem) in
      guard !options.clears || options.value == nil else {
        throw ValueProblem(
          "--defaults takes out what a VALUE has set", remedy: "leave out one of them")
      }
    })

  /// The option that the key stands for, and whose: `budgetMetered` is `budget-metered`.
  private var option: (name: String, words: [String])? {
    guard let key else { return nil }
    let name =
      UplinkSettingsCommand.otherNames[key]
      ?? key.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
    guard let other = UplinkSettingsCommand.ofLocate[name] else {
      return (name, UplinkSettingsCommand.words)
    }
    return (other, UplinkSettingsCommand.locateWords)
  }

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let format = OutputFormat.chosen(self.output.format)
    return await CommandRun(output, general.diagnostics).run {
      if let option, let value {
        let section = option.words.joined(separator: " ")
        try check(option.name, value, section)
        try await checkOthers(option.name)
        try await change { $0.set(option.name, to: value, in: section) }
      } else if clears {
        // There may be no such setting.
        _ = try await self.lines()
        let option = self.option
        if let option { try await checkOthers(option.name) }
        let all = [UplinkSettingsCommand.words, UplinkSettingsCommand.locateWords]
        try await change { text in
          for words in (option.map { [$0.words] } ?? all) + [["uplink"]] {
            text.clear(words.joined(separator: " "), of: option?.name)
          }
        }
      }
      let lines = try await lines()
      ConfigurationOverview<LunaCommand.Action>.Line.listing.append(
        lines.count, as: format.ofList, to: output, line: { lines[$0].append(to: $1) },
        cells: { lines[$0].cells })
      return .done
    }
  }

  /// All that holds.
  private func overview() async -> ConfigurationOverview<LunaCommand.Action> {
    let files = await ConfigurationFiles.look(named: general.config).compactMap(\.file)
    return ConfigurationOverview(LunaCommand.tree, files) { name in
      getenv(name).map { String(cString: $0) }
    }
  }

  /// What holds now.
  private func lines() async throws -> [ConfigurationOverview<LunaCommand.Action>.Line] {
    let overview = await overview()
    guard let option else {
      let others = try overview.all(of: UplinkSettingsCommand.locateWords).filter {
        UplinkSettingsCommand.ofLocate.values.contains($0.option)
      }
      return try overview.all(of: UplinkSettingsCommand.words) + others
    }
    let lines = try overview.all(of: option.words).filter { $0.option == option.name }
    guard !lines.isEmpty else {
      throw CommandFailure(
        .usage, "there is no setting \(option.name)",
        hint: "luna uplink settings shows all of them")
    }
    return lines
  }

  /// Refuses what the check would not take.
  private func check(
    _ option: String, _ value: String, _ section: String
  ) throws(CommandFailure) {
    let text = "[\(section)]\n\(option) = \(value)\n"
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

  /// Refuses what no check would begin with, beside what is set already.
  private func checkOthers(_ option: String) async throws {
    let others =
      clears
      ? ["slowdown": "power"]
      : ["pairs": "slowdown", "slowdown": "pairs", "power": "slowdown"]
    guard let other = others[option] else { return }
    let place = try await overview().all(of: UplinkSettingsCommand.words)
      .first { $0.option == other }?.origin
    if option == "power" {
      guard place == nil || place == .usual else { return }
      throw CommandFailure(
        .usage, "power is that of a slowdown to be found", hint: "set slowdown first")
    }
    guard case .file(let path, _)? = place else { return }
    throw CommandFailure(
      .usage,
      clears
        ? "power is that of a slowdown to be found, and is set"
        : "slowdown says how many pairs there are, and \(other) is set",
      hint: "take \(other) out of \(path)")
  }

  private func change(
    _ change: @escaping @Sendable (inout ConfigurationText) -> Void
  ) async throws(CommandFailure) {
    guard let path = ConfigurationFiles.user else {
      throw CommandFailure(
        .usage, "there is no place for a configuration file of yours", hint: "set HOME")
    }
    try HomePath.requireText(path)
    try await Blocking.run { () throws(CommandFailure) in
      if let end = path.lastIndex(of: "/") {
        try StateDirectoryMaker.make(
          String(path[..<end]), hint: "change its permissions, or set XDG_CONFIG_HOME")
      }
      // Nobody else changes it between reading and writing.
      let lock = try UplinkSettingsCommand.lock(path)
      defer { withExtendedLifetime(lock) {} }
      let isThere = access(path, F_OK) == 0
      let bytes = try isThere ? InputFile.readInPlace(path) : []
      var text = ConfigurationText(String(decoding: bytes, as: UTF8.self))
      change(&text)
      try OutputFile.write(Array(text.text.utf8), to: path, replacing: true)
    }
  }

  private static func lock(_ path: String) throws(CommandFailure) -> FileLock {
    do throws(FileOutputError) {
      return try FileLock(path + ".lock")
    } catch {
      throw CommandFailure(error)
    }
  }
}
