import Bluetooth
import Captures
import ChildProcess
import CommandSpec
import Glibc
import Luna
import LunaAccount
import LunaClient
import LunaCore
import LunaDocuments
import LunaFinder
import LunaLocation
import LunaMQTT
import LunaOutlets
import LunaProtocol
import LunaStore
import LunaTelemetry
import MQTT
import Prometheus

/// `luna finder`: reports trackers of anybody to their owners, and carries out their commands.
struct FinderCommand: Sendable {
  var location = LocationChoice.gpsd(host: "localhost", port: LocationChoice.gpsdPort)
  var once = false
  var duty: FinderDuty?
  var format: FinderFormat?
  var limits = FinderLimitOptions()
  var client = ClientOptions()
  var telemetry = TelemetryOptions()
  var tellsHealth = true
  var devices = DeviceDetail.counts
  var state = StateOption()
  var listen = ListenOptions()
  var mqtt = MQTTOptions()
  var events = EventOptions()
  var metrics = MetricsOption()
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
      "A gateway without a token prints the line of its label, and offers itself to the backend "
        + "until an operator has scanned it, every 10 s at first and every 10 min later. The token "
        + "is made here and stays here: the backend gets a digest of it.",
      "The backend is told how many devices are near, and of which families. With "
        + "--devices refs it also gets pseudonyms of those with a public or static address that were "
        + "heard in three of the last 24 hours, to show what stays. The key of pseudonyms never leaves "
        + "this machine, and no other gateway gives the same; that two gateways hear something in the "
        + "same hours may betray it all the same. Trackers of any maker, contact tracing and who only "
        + "passes by are in none.",
      "For --exec and --webhook, events are the JSON lines, by their type. A command finds LUNA_EVENT "
        + "in its environment, LUNA_HEID, LUNA_RSSI and LUNA_TIME with sighting, LUNA_LISTENING with "
        + "state, LUNA_REQUEST and LUNA_OUTCOME with command, LUNA_WAITING with upload, LUNA_REASON "
        + "with what does not work, and the whole line in LUNA_JSON. An event that comes while one about "
        + "the same is being told waits, and a newer one takes its place. " + EventOptions.limits,
    ],
    initial: FinderCommand(),
    groups: [
      taskGroup, ClientOptions.group(.gateway, signsIn: true, lasts: true).scoped(to: \.client),
      TelemetryOptions.group().scoped(to: \.telemetry),
      FinderLimitOptions.group.scoped(to: \.limits),
      StateOption.group.scoped(to: \.state), ListenOptions.silentGroup.scoped(to: \.listen),
      MQTTOptions.group.scoped(to: \.mqtt),
      EventOptions.group(FinderUpdate.types, usual: "all").scoped(to: \.events),
      MetricsOption.group.scoped(to: \.metrics),
      ClockOptions.group.scoped(to: \.listen.clock), ZoneOptions.group.scoped(to: \.listen.zone),
      GeneralOptions.group.scoped(to: \.general),
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
      Example("luna finder label", "What an operator scans, for a gateway without a token"),
      Example("luna finder status", "What is queued, and how long an outage may last"),
    ],
    exitStatuses: ExitCode.ofService(ExitCode.clientStatuses),
    check: { options throws(ValueProblem) in
      try options.listen.check()
      try options.mqtt.check(isRecording: options.listen.readPath != nil)
      try options.events.check(isRecording: options.listen.readPath != nil)
      guard options.client.onChange == nil || options.client.profile != nil else {
        throw ValueProblem("--account-on-change needs --sign-in")
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
        ).defaulting(to: "gpsd").fromEnvironment("LUNA_LOCATION"),
        .flag("once", onceText, \.once),
        .value(
          "duty", "HOW", "auto (little until a tracker is near), full, or sparse", \.duty,
          dutyReader
        ).defaulting(to: "auto; full in the simulated room and from a recording"),
        .value("format", "FORMAT", "text or jsonl", \.format, FinderFormat.reader)
          .defaulting(to: "text on a terminal, else jsonl"),
        .negatableFlag(
          "health", "Tell the backend once a minute how this gateway is", \.tellsHealth
        ).defaulting(to: "with --backend"),
        .value(
          "devices", "WHAT", "What to tell it of the devices nearby: off, counts or refs",
          \.devices, devicesReader
        ).defaulting(to: "counts").fromEnvironment("LUNA_DEVICES"),
      ])
  }

  private static let onceText =
    "Listen for 64 s (or --duration), upload and exit; with 1 if nothing was heard, 9 if "
    + "the upload failed"

  static let node: CommandNode<LunaCommand.Action> = command.node(subcommands: [
    FinderEnrollCommand.command.node { options in { await options.run() } },
    FinderLabelCommand.command.node { options in { await options.run() } },
    FinderStatusCommand.command.node { options in { await options.run() } },
  ]) { options in { await options.run() } }

  static var locationReader: ValueReader<LocationChoice> {
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
        throw ValueProblem(error.reason)
      }
    }
  }

  static var dutyReader: ValueReader<FinderDuty?> {
    .choice(FinderDuty.allCases.map { (Choice($0.rawValue), $0) })
  }

  private static let devicesReader = ValueReader<DeviceDetail>.choice([
    (Choice("off", "nothing"), .off), (Choice("counts", "how many, of which families"), .counts),
    (Choice("refs", "also pseudonyms of those that stay"), .refs),
  ])

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let format = format ?? (isatty(STDOUT_FILENO) == 1 ? .text : .jsonl)
    return await CommandRun(output, general.diagnostics).run {
      // What is wrong with the command line is said before anything begins.
      _ = try client.makeClient(.gateway, state: try state.path())
      let enrolment = try makeEnrolment()
      let telemetry = try makeTelemetry()
      let finder = Luna(try makeSettings(telemetry, enrolment)).finder()
      let numbers = FinderNumbers()
      let outlets = try events.outlets(
        general.diagnostics, usual: Set(FinderUpdate.types), repetition: .waits)
      do {
        return try await metrics.serving(general.diagnostics, { numbers.text(finder.counters) }) {
          try await report(
            finder, enrolment, telemetry, numbers, outlets, try publish(),
            FinderPrinter(
              output, format, general.diagnostics,
              fallback: SourceDescription(
                name: listen.readPath ?? "none", simulated: isVirtual, explanation: "no radio")))
        }
      } catch {
        await outlets?.finish()
        throw error
      }
    }
  }

  /// Reports until somebody ends it, and tells of it. However that ends, nobody who was told of it is left behind.
  private func report(
    _ finder: LunaFinder, _ enrolment: GatewayEnrolment?, _ telemetry: Telemetry?,
    _ numbers: FinderNumbers, _ outlets: EventOutlets?, _ publisher: GatewayPublisher?,
    _ printer: FinderPrinter
  ) async throws -> ExitCode {
    let updates = finder.updates
    let stop = StopRequest()
    if let enrolment {
      _ = EnrolmentNotes.follow(enrolment, at: location, general.diagnostics)
      enrolment.start(telemetry: telemetry)
    }
    defer { enrolment?.stop() }
    if client.backend == nil {
      general.diagnostics.note("luna: no --backend given: events are only collected")
    }
    let statistics = Statistics()
    watchSignals(finder, stop, statistics, enrolment)
    let service = ServiceLife(general.diagnostics) { await finder.silence() }
    defer { service.end() }
    let timer = Task {
      guard let limit = listen.duration ?? (once ? FinderCommand.cycle : nil) else { return }
      guard !isRecording, (try? await Task.sleep(for: limit)) != nil else { return }
      if stop.give(.complete) {
        StalledOutput.watchTheEnd(general.diagnostics)
        enrolment?.stop()
        finder.stopMonitoring()
      }
    }
    defer { timer.cancel() }
    await telemetry?.start()
    finder.startMonitoring(configuration: configuration)
    var printer = printer
    var losses = SourceLosses()
    do throws(OutputBuffer.WriteError) {
      for await update in updates {
        if case .listening(let source, _) = update { service.begin(source.explanation) }
        publisher?.take(update)
        outlets?.take(update)
        numbers.take(update)
        // What is not told by then is lost, and counted before the end.
        if case .ended = update { await outlets?.finish() }
        for (reason, count) in losses.take(outlets?.losses ?? []) {
          let loss = FinderUpdate.dropped(reason: reason, count: Int(clamping: count))
          numbers.take(loss)
          try printer.print(loss)
        }
        try printer.print(update)
        statistics.text = printer.summary
      }
      try printer.finish()
    } catch {
      await finder.finish()
      await publisher?.stop()
      await outlets?.finish()
      await telemetry?.finish()
      throw error
    }
    await publisher?.stop()
    await outlets?.finish()
    await telemetry?.finish()
    let failure = await finder.wait()
    general.diagnostics.note("luna: " + printer.summary)
    if let error = failure as? SourceError, isRecording { throw CommandFailure(error) }
    if let failure { throw CommandFailure(finder: failure) }
    return try exitCode(printer, stop)
  }

  /// Tells a home of this gateway; nil when there is none to be told.
  private func publish() throws -> GatewayPublisher? {
    guard let configuration = try mqtt.configuration("finder") else { return nil }
    let publisher = try GatewayPublisher(configuration, topics: mqtt.topics)
    _ = BrokerNotes.follow(publisher.states, of: mqtt.broker, general.diagnostics)
    publisher.start("Luna \(MQTTOptions.host)")
    return publisher
  }

  private func exitCode(
    _ printer: FinderPrinter, _ stop: StopRequest
  ) throws(CommandFailure) -> ExitCode {
    switch stop.reason {
    case .signal(SIGINT): return .interrupted
    case .signal, .reload: return .done
    default: break
    }
    if stop.reason == .complete, let trouble = printer.trouble {
      throw CommandFailure(
        .lost, "the radio could not be brought back before the time was over: \(trouble)")
    }
    if let failure = printer.lastFailure {
      // What waits is uploaded by the next run; one that could upload nothing has done nothing for anybody.
      let isInVain = stop.reason == .complete && printer.tally.uploaded == 0
      if once || isInVain { throw CommandFailure(failure) }
    }
    guard once else { return .done }
    guard printer.tally.found == 0 else { return .done }
    if let obstacle = printer.obstacle {
      throw CommandFailure(
        .notFound, "nothing was reported: the position is unknown (\(obstacle))",
        hint: "for a gateway that does not move, give --location static:LAT,LON")
    }
    throw CommandFailure(
      .notFound, "no LunaTracker was heard", hint: "luna scan shows everything nearby")
  }

  private func watchSignals(
    _ finder: LunaFinder, _ stop: StopRequest, _ statistics: Statistics,
    _ enrolment: GatewayEnrolment?
  ) {
    let reload = ServiceReload.asked
    SignalWatcher.watch { [diagnostics = general.diagnostics] number in
      guard number != SIGUSR1 else { return diagnostics.answer("luna: " + statistics.text) }
      if number == SIGHUP, let reload {
        return reload.restart(stop, diagnostics) {
          enrolment?.stop()
          Telemetry.enter(.reload)
          finder.stopMonitoring()
        }
      }
      // The second time somebody means it; one that is beginning anew has ended what it did.
      guard stop.give(.signal(number)) else {
        Main.end(reload?.statusAtEnd(by: number) ?? 128 + number)
      }
      enrolment?.stop()
      Telemetry.enter(.shutdown)
      finder.stopMonitoring()
    }
  }

  private var isRecording: Bool { listen.readPath != nil }

  private var isVirtual: Bool {
    if case .virtual? = listen.radio { true } else { false }
  }

  private var time: ProtocolTime { listen.clock.time(listen.zone) }

  private var configuration: LunaConfiguration {
    var configuration = LunaConfiguration(logger: SilentLogger())
    limits.apply(to: &configuration)
    configuration.backend = client.backend
    configuration.devices = devices
    configuration.duty = duty ?? (isRecording || isVirtual ? .full : .auto)
    return configuration
  }

  /// What tells the backend how this gateway is, and how it is used; nil when nobody is to know.
  private func makeTelemetry() throws -> Telemetry? {
    let tellsHealth = tellsHealth && client.backend != nil && !isRecording
    let tellsDevices = devices == .refs && client.backend != nil
    guard tellsHealth || tellsDevices || general.recordsUse else { return nil }
    var configuration = try client.telemetry(telemetry, state: try state.path())
    configuration.recordsHealth = tellsHealth
    configuration.recordsUsage = general.recordsUse
    return Telemetry(root: telemetry.root, configuration)
  }

  /// What gets this gateway its token; nil for one that has one, or is told where it is.
  private func makeEnrolment() throws -> GatewayEnrolment? {
    let directory = try state.path()
    guard let backend = client.backend, client.givenToken(directory) == nil else { return nil }
    return try GatewayEnrolment(
      client.configuration(url: backend), state: StateDirectory(path: directory))
  }

  private func makeSettings(
    _ telemetry: Telemetry?, _ enrolment: GatewayEnrolment?
  ) throws -> LunaSettings {
    let directory = try state.path()
    var settings = LunaSettings()
    settings.state = StateDirectory(path: directory)
    settings.radio = try listen.makeProvider(state: directory, general.diagnostics)
    settings.mode = listen.mode
    settings.location = location
    settings.telemetry = telemetry
    settings.client = client.configuration(url: "")
    settings.gatewayToken =
      enrolment.map { .provider($0) } ?? client.givenToken(directory, tellsChanges: true)
    settings.time = time
    return settings
  }
}
