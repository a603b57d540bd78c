import Bluetooth
import CommandSpec
import Glibc
import LunaCore
import LunaLocal
import LunaOwner
import LunaProtocol

/// `luna local`: where one's own trackers are, by their signal, and how their clocks go.
struct LocalCommand: Sendable {
  var devices: [String] = []
  var format: OutputFormat?
  var store = StoreOptions()
  var timeout: Duration?
  var listen = ListenOptions()
  var general = GeneralOptions()

  static let command = Command(
    "local", "Follow your own trackers as their identifiers and addresses change.",
    discussion: [
      "On a terminal, a live table shows each tracker's signal, when it was last heard, "
        + "how far its clock is off, and its battery. When piped, each event is a JSON object "
        + "on a line: appeared, seen, rotated, timedOut, drift. With TERM=dumb, each is a "
        + "plain line.",
      "Your trackers are those in the state directory: onboarded there, or imported with "
        + "'luna owner import'. Without DEVICE, all of them are followed, and other people's "
        + "trackers are shown with \"device\":null. With DEVICE, the exit code is 1 if none of "
        + "those named was heard.",
    ],
    initial: LocalCommand(),
    arguments: [
      .repeated("DEVICE", "Follow only these devices, by uuid or name", \.devices, .text)
    ],
    groups: [
      OptionGroup(
        "What to show",
        [
          .value("format", "FORMAT", "table or jsonl", \.format, OutputFormat.reader)
            .defaulting(to: "table on a terminal, else jsonl"),
          .value(
            "timeout", "TIME", "Consider a device silent after TIME", \.timeout, .duration
          ).defaulting(to: "1m"),
        ]),
      StoreOptions.group.scoped(to: \.store), ListenOptions.group.scoped(to: \.listen),
      ClockOptions.group.scoped(to: \.listen.clock), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna local", "A live table of your trackers"),
      Example("luna local Keys -T 1m --format jsonl", "One tracker for a minute, as JSON lines"),
      Example("luna local -r night.btsnoop", "Who was there, according to a recording"),
    ],
    exitStatuses: ExitCode.statuses,
    environment: [EnvironmentVariable("NO_COLOR", "If set and not empty: no colours")],
    check: { options throws(ValueProblem) in
      try options.listen.clock.check()
      guard options.format != .csv else { throw ValueProblem("luna local has no --format csv") }
    })

  private var outputFormat: OutputFormat {
    format ?? (isatty(STDOUT_FILENO) == 1 ? .table : .jsonl)
  }

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let diagnostics = general.diagnostics
      let store = try self.store.open()
      let selection = try await LocalSelection(devices, of: LunaOwner(store: store))
      let following = try await LocalFollowing(
        selection.devices, configuration: configuration, store: store, diagnostics: diagnostics)
      let shown = selection.showsForeign
      let run = ListenRun(
        source: try listen.makeListener(state: try self.store.state.path(), diagnostics),
        isFile: listen.isFile, readPath: listen.readPath,
        duration: listen.duration, count: listen.count, recordingPath: listen.writePath,
        overwrites: listen.overwrites,
        diagnostics: diagnostics)
      let isTable = outputFormat == .table && isatty(STDOUT_FILENO) == 1
      let code = try await run.run { description in
        if isTable, !Terminal.isDumb {
          return try LocalTableSink(
            description, following, showsForeign: shown, style: general.tableStyle, run: run)
        }
        if !isTable { StartLine.append(description, to: output) }
        return LocalLineSink(
          output, following, adapter: description.adapter, isRecording: listen.isFile,
          showsForeign: shown, isPlain: isTable)
      }
      note(following.counters, diagnostics)
      // Without names there was nothing in particular to be found.
      return code == .notFound && devices.isEmpty ? .done : code
    }
  }

  private var configuration: LocalConfiguration {
    var configuration = LocalConfiguration()
    configuration.isRecording = listen.readPath != nil
    configuration.time = listen.clock.time
    if let timeout {
      let (seconds, attoseconds) = timeout.components
      configuration.timeout = Double(seconds) + Double(attoseconds) / 1e18
    }
    return configuration
  }

  private func note(_ counters: LocalCounters, _ diagnostics: Diagnostics) {
    guard !counters.refused.isEmpty else { return }
    let reasons = counters.refused.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.value) × \($0.key.rawValue)" }
    diagnostics.note(
      "luna: ignored frames that look like LunaTracker frames: "
        + reasons.joined(separator: ", "))
  }
}
