import Bluetooth
import Captures
import CommandSpec
import Glibc
import Luna
import LunaClient
import LunaCore
import LunaFinder
import LunaLocation
import LunaProtocol
import LunaStore

/// `luna finder`: reports trackers of anybody to their owners, and carries out their commands.
struct FinderCommand: Sendable {
  var location = LocationChoice.gpsd(host: "localhost", port: LocationChoice.gpsdPort)
  var once = false
  var duty: FinderDuty?
  var format: FinderFormat?
  var limits = FinderLimitOptions()
  var client = ClientOptions()
  var state = StateOption()
  var listen = ListenOptions()
  var general = GeneralOptions()

  /// How long `--once` listens: trackers go through all their modes in 64 s (PROTOCOL.md, 5).
  private static let cycle = Duration.seconds(64)

  static let command = Command(
    "finder", "Report trackers to their owners, and deliver the owners' commands.",
    discussion: [
      "Every LunaTracker heard, whoever owns it, is reported with this gateway's position: "
        + "sealed so that only its owner can read it, at most once a minute, queued on disk, "
        + "and uploaded to the backend in batches. Commands from the backend are delivered "
        + "over Bluetooth one at a time, and the trackers' answers go back to the backend.",
      "The queue survives outages, power cuts and full disks; luna finder status shows "
        + "what is in it. When it is full, events that the backend has refused for good are "
        + "dropped first, then the oldest. Without --backend, events are only collected.",
      "Nothing is reported while the position is unknown: give it with --location, or let "
        + "gpsd or GeoClue provide one that is at most 30 s old.",
    ],
    initial: FinderCommand(),
    groups: [
      taskGroup, ClientOptions.group(.gateway).scoped(to: \.client),
      FinderLimitOptions.group.scoped(to: \.limits),
      StateOption.group.scoped(to: \.state), ListenOptions.group.scoped(to: \.listen),
      ClockOptions.group.scoped(to: \.listen.clock), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example(
        "luna finder --backend https://luna.example --location static:52.5186,13.3763",
        "A gateway that does not move"),
      Example("luna finder --backend https://luna.example --location gpsd", "One on wheels"),
      Example(
        "luna finder --radio virtual --location static:0,0 --once", "Try it without an adapter"),
      Example(
        "luna finder enroll --backend https://luna.example", "Get a token with an enrolment code"),
      Example("luna finder status", "What is queued, and how long an outage may last"),
    ],
    exitStatuses: ExitCode.clientStatuses,
    check: { options throws(ValueProblem) in
      try options.listen.clock.check()
      guard options.listen.writePath == nil, options.listen.count == nil else {
        throw ValueProblem("luna finder has no --write or --count")
      }
      guard options.limits.allowsDebugFields || !options.limits.debugFields else {
        throw ValueProblem(
          "--debug-fields would show positions and identifiers to the backend",
          remedy: "add --allow-insecure-debug-fields if this is a test")
      }
      if options.listen.readPath != nil {
        guard case .place = options.location else {
          throw ValueProblem("--read needs --location static:LAT,LON", remedy: "name the place")
        }
      }
    })

  private static var taskGroup: OptionGroup<FinderCommand> {
    OptionGroup(
      "What to do",
      [
        .value(
          "location", "WHERE", "static:LAT,LON[,ALT], gpsd[:HOST:PORT] or geoclue", \.location,
          locationReader
        ).defaulting(to: "gpsd"),
        .flag("once", onceText, \.once),
        .value(
          "duty", "HOW", "auto (little until a tracker is near), full, or sparse", \.duty,
          dutyReader
        ).defaulting(to: "auto; full in the simulated room and from a recording"),
        .value("format", "FORMAT", "text or jsonl", \.format, FinderFormat.reader)
          .defaulting(to: "text on a terminal, else jsonl"),
      ])
  }

  private static let onceText =
    "Listen for 64 s (or --duration), upload and exit; with 1 if nothing was heard, 9 if "
    + "the upload failed"

  static let node: CommandNode<LunaCommand.Action> = command.node(subcommands: [
    FinderEnrollCommand.command.node { options in { await options.run() } },
    FinderStatusCommand.command.node { options in { await options.run() } },
  ]) { options in { await options.run() } }

  private static var locationReader: ValueReader<LocationChoice> {
    ValueReader(
      expects: "static:LAT,LON[,ALT], gpsd[:HOST:PORT] or geoclue",
      hint: .suggestions([
        Choice("static:", "a fixed place"), Choice("gpsd", "a satellite receiver"),
        Choice("geoclue", "the system's location service"),
      ])
    ) { text throws(ValueProblem) in
      do throws(LocationChoiceError) {
        return try LocationChoice(text)
      } catch {
        throw ValueProblem(error.problem)
      }
    }
  }

  private static var dutyReader: ValueReader<FinderDuty?> {
    .choice(FinderDuty.allCases.map { (Choice($0.rawValue), $0) })
  }

  // MARK: Running

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let format = format ?? (isatty(STDOUT_FILENO) == 1 ? .text : .jsonl)
    return await CommandRun(output, general.diagnostics).run {
      // What is wrong with the command line is said before anything begins.
      _ = try client.makeClient(.gateway, state: try state.path())
      let finder = LunaFinder(parts: try makeParts())
      let updates = finder.updates
      let stop = StopRequest()
      if client.backend == nil {
        general.diagnostics.note("luna: no --backend given: events are only collected")
      }
      watchSignals(finder, stop)
      let timer = Task {
        guard let limit = listen.duration ?? (once ? FinderCommand.cycle : nil) else { return }
        guard !isRecording, (try? await Task.sleep(for: limit)) != nil else { return }
        if stop.give(.complete) { finder.stopMonitoring() }
      }
      defer { timer.cancel() }
      finder.startMonitoring(configuration: configuration)
      var printer = FinderPrinter(
        output, format, general.diagnostics,
        fallback: SourceDescription(
          name: listen.readPath ?? "none", simulated: isVirtual, explanation: "no radio"))
      do throws(OutputBuffer.WriteError) {
        for await update in updates { try printer.print(update) }
        try printer.finish()
      } catch {
        await finder.finish()
        throw error
      }
      let failure = await finder.wait()
      general.diagnostics.note("luna: " + printer.summary)
      if let failure { throw CommandFailure(finder: failure) }
      return try exitCode(printer, stop)
    }
  }

  private func exitCode(
    _ printer: FinderPrinter, _ stop: StopRequest
  ) throws(CommandFailure) -> ExitCode {
    switch stop.reason {
    case .signal(SIGINT): return .interrupted
    case .signal: return .done
    default: break
    }
    guard once else { return .done }
    if let failure = printer.lastFailure { throw CommandFailure(failure) }
    guard printer.found == 0 else { return .done }
    if let obstacle = printer.obstacle {
      throw CommandFailure(
        .notFound, "nothing was reported: the position is unknown (\(obstacle))",
        hint: "for a gateway that does not move, give --location static:LAT,LON")
    }
    throw CommandFailure(
      .notFound, "no LunaTracker was heard", hint: "luna scan shows everything nearby")
  }

  private func watchSignals(_ finder: LunaFinder, _ stop: StopRequest) {
    SignalWatcher.watch { number in
      guard number != SIGUSR1 else { return }
      // The second time somebody means it.
      guard stop.give(.signal(number)) else { _exit(128 + number) }
      finder.stopMonitoring()
    }
  }

  private var isRecording: Bool { listen.readPath != nil }

  private var isVirtual: Bool {
    if case .virtual? = listen.radio { true } else { false }
  }

  private var time: ProtocolTime { listen.clock.time }

  private var configuration: LunaConfiguration {
    var configuration = LunaConfiguration(logger: SilentLogger())
    limits.apply(to: &configuration)
    configuration.backend = client.backend
    configuration.duty = duty ?? (isRecording || isVirtual ? .full : .auto)
    return configuration
  }

  private func makeParts() throws -> FinderParts {
    let directory = try state.path()
    let radios = FinderRadios(listen: listen, state: directory, diagnostics: general.diagnostics)
    var settings = LunaSettings()
    settings.state = StateDirectory(path: directory)
    settings.makeRadio = { try radios.make($0) }
    settings.mode = listen.mode
    settings.isSimulated = isVirtual
    settings.makeLocation = { [location] in location.makeSource(accuracy: $0) }
    settings.client = client.configuration(url: "")
    settings.gatewayToken = client.tokenFile.map { .file($0) }
    settings.time = time
    var parts = settings.finderParts
    if let path = listen.readPath {
      parts.isRecording = true
      parts.makeRadio = { [listen] _ in
        FinderRadio(source: CaptureFileSource(path: path, realtime: listen.realtime))
      }
    }
    return parts
  }
}
