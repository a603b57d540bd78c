import CommandSpec
import Glibc
import SafeText
import TerminalTable

/// Options that every command has.
struct GeneralOptions: Sendable {
  enum Color: String, CaseIterable, Sendable {
    case auto, always, never
  }

  var verbosity = 0
  var quiet = false
  var color = Color.auto
  var config: String?
  /// Whether it is recorded which parts of Luna are used.
  var recordsUse = false

  static var group: OptionGroup<GeneralOptions> {
    OptionGroup(
      "General options",
      [
        .count(
          "verbose", short: "v", "Print more on standard error; twice for even more", \.verbosity),
        .flag("quiet", short: "q", "Print only errors on standard error", \.quiet),
        .value("color", "WHEN", "Colours: auto, always or never", \.color, .choice)
          .defaulting(to: "auto"),
        .value(
          "config", "FILE",
          "Read options also from FILE: 'key = value' lines under [COMMAND] sections",
          \.config, .file),
        // For configuration files: it says nothing of one call of a command.
        .negatableFlag(
          "telemetry-usage", "Record which parts of Luna are used", \.recordsUse
        ).hidden(),
      ],
      exclusive: [["verbose", "quiet"]]
    ).fromEnvironment("LUNA")
  }

  /// Whether standard output gets colours.
  var usesColor: Bool {
    switch color {
    case .always: return !Terminal.isDumb
    case .never: return false
    case .auto:
      let variable = getenv("NO_COLOR").map { String(cString: $0) }
      return isatty(STDOUT_FILENO) == 1 && (variable ?? "").isEmpty && !Terminal.isDumb
    }
  }

  /// How a table may be drawn: signs beyond ASCII only where the locale is UTF-8.
  var tableStyle: TableStyle {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let locale = names.lazy.compactMap { getenv($0).map { String(cString: $0) } }
      .first { !$0.isEmpty }
    let isUnicode = locale?.lowercased().contains(text: "utf") ?? false
    return TableStyle(isColored: usesColor, isUnicode: isUnicode)
  }

  /// Where messages go.
  var diagnostics: Diagnostics {
    Diagnostics(quiet: quiet, verbosity: verbosity, recordsUse: recordsUse)
  }
}
