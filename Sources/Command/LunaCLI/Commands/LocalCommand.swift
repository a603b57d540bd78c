import Bluetooth
import ChildProcess
import CommandSpec
import Glibc
import Luna
import LunaBuzzer
import LunaCore
import LunaDocuments
import LunaLocal
import LunaMQTT
import LunaOutlets
import LunaOwner
import LunaProtocol
import LunaTables
import MQTT
import Prometheus
import TerminalTable

/// `luna local`: where one's own trackers are, by their signal, and how their clocks go.
struct LocalCommand: Sendable {
  var devices: [String] = []
  var format: OutputFormat?
  var store = StoreOptions()
  var timeout: Duration?
  var listen = ListenOptions()
  var mqtt = MQTTOptions()
  var events = EventOptions()
  var choice = ChoiceOptions()
  var metrics = MetricsOption()
  var general = GeneralOptions()

  static let command = Command(
    "local", "Follow your own trackers as their identifiers and addresses change.",
    discussion: [
      "On a terminal, a live table shows each tracker's signal, when it was last heard, "
        + "how far its clock is off, and its battery. When piped, each event is a JSON object "
        + "on a line: appeared, seen, rotated, timedOut, drift, batteryLow. With TERM=dumb, each is a "
        + "plain line.",
      "Your trackers are those in the state directory: onboarded there, or imported with "
        + "'luna owner import'. Without DEVICE, all of them are followed, those that come there "
        + "later as well, and other people's trackers are shown with \"device\":null. With DEVICE, "
        + "the exit code is 1 if none of those named was heard.",
      "--exec and --webhook tell of your own trackers, never of others, whom anybody can invent. A "
        + "command finds LUNA_EVENT, LUNA_TRACKER (the name), LUNA_DEVICE, LUNA_TIME, LUNA_RSSI and "
        + "LUNA_BATTERY_LOW (1 or 0) in its environment, as far as they are known; for each tracker and "
        + "event one runs, which the next one ends. A webhook gets type, event, time, device, name, rssi "
        + "and batteryLow. " + EventOptions.limits,
      "appeared is also told of everything that is around when it begins. Who came home is known to a home, "
        + "which remembers who was there: a rule with beaconIn tells of it (luna home).",
      "At every boot: sudo systemctl enable --now luna-local. The service has its options from [local] in "
        + "/etc/luna/luna.conf, such as mqtt = mqtt://homeassistant.local. Its trackers are those in "
        + "/var/lib/luna-local: sudo -u luna-local luna onboard --state /var/lib/luna-local puts one there, as "
        + "luna owner import does.",
    ],
    initial: LocalCommand(),
    arguments: [
      .repeated("DEVICE", "Follow only these devices, by uuid or name", \.devices, .text)
    ],
    groups: [
      OptionGroup(
        "What to show",
        [
          OutputFormat.option(\.format, of: [.table, .jsonl]),
          .value(
            "timeout", "TIME", "Consider a device silent after TIME", \.timeout, .duration
          ).defaulting(to: "1m"),
        ]),
      StoreOptions.group.scoped(to: \.store), ListenOptions.group.scoped(to: \.listen),
      MQTTOptions.group.scoped(to: \.mqtt),
      EventOptions.group(
        LocalUpdate.Event.allCases.map(\.rawValue),
        usual: usualEvents.map(\.rawValue).joined(separator: ",")
      ).scoped(to: \.events),
      ChoiceOptions.group.scoped(to: \.choice),
      MetricsOption.group.scoped(to: \.metrics),
      ClockOptions.group.scoped(to: \.listen.clock), ZoneOptions.group.scoped(to: \.listen.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna local", "A live table of your trackers"),
      Example("luna local Keys -T 1m --format jsonl", "One tracker for a minute, as JSON lines"),
      Example(
        "luna local --mqtt mqtt://homeassistant.local", "Tell Home Assistant who is at home"),
      Example(
        "luna local --exec 'logger \"$LUNA_TRACKER $LUNA_EVENT\"' --exec-on timedOut",
        "Run a command when one is gone"),
      Example("luna local -r night.btsnoop", "Who was there, according to a recording"),
    ],
    exitStatuses: ExitCode.statuses,
    environment: [EnvironmentVariable("NO_COLOR", "If set and not empty: no colours")],
    check: { options throws(ValueProblem) in
      try options.listen.check()
      try options.mqtt.check(isRecording: options.listen.isFile)
      try options.events.check(isRecording: options.listen.isFile)
      guard options.mqtt.broker != nil || !options.events.isEmpty || options.choice.isEmpty else {
        throw ValueProblem("--allow and --deny need --mqtt, --exec or --webhook")
      }
    })

  private var outputFormat: OutputFormat {
    OutputFormat.chosen(format)
  }

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let diagnostics = general.diagnostics
      let luna = Luna(try await makeSettings(diagnostics))
      let selection = try await LocalSelection(devices, of: luna.owner())
      let local = luna.local()
      let errors = local.errors
      let problems = Task { for await error in errors { diagnostics.note("luna: \(error)") } }
      let scan = try await local.scan(selection.devices)
      let trouble = RadioTrouble()
      let page: @Sendable () -> MetricsText = {
        var text = MetricsText()
        text.add(scan.counters)
        text.add(isListening: trouble.isListening)
        text.add(scan.devices)
        return text
      }
      let result: Result<ExitCode, any Error>
      do {
        result = .success(
          try await metrics.serving(diagnostics, page) {
            try await follow(selection, scan, local, luna, output, trouble)
          })
      } catch {
        result = .failure(error)
      }
      await local.stop()
      await problems.value
      let code = try result.get()
      note(scan.tally, diagnostics)
      // Without names there was nothing in particular to be found.
      return code == .notFound && devices.isEmpty ? .done : code
    }
  }

  /// Listens, and tells a home, commands and a webhook what happens. However that ends, nobody who was told of it
  /// is left behind.
  private func follow(
    _ selection: LocalSelection, _ scan: LocalScan, _ local: LunaLocal, _ luna: Luna,
    _ output: OutputBuffer, _ trouble: RadioTrouble
  ) async throws -> ExitCode {
    let filter = try await choice.filter(luna.owner())
    let outlets = try events.outlets(
      general.diagnostics, usual: Set(LocalCommand.usualEvents.map(\.rawValue)), repetition: .ends)
    let publisher: TrackerPublisher?
    do {
      publisher = try await publish(selection.devices, filter, scan, luna)
    } catch {
      await outlets?.finish()
      throw error
    }
    let teller = outlets.map { tell($0, of: local.updates, filter) }
    let run = ListenRun(
      source: scan,
      isFile: listen.isFile, readPath: listen.readPath,
      duration: listen.duration, count: listen.count, recordingPath: listen.writePath,
      overwrites: listen.overwrites,
      diagnostics: general.diagnostics, otherLosses: { outlets?.losses ?? [] },
      endOthers: {
        guard let teller else { return }
        await local.stop()
        await teller.value
      },
      trouble: trouble)
    let result: Result<ExitCode, any Error>
    do {
      result = .success(
        try await run.run { description in
          if listen.readPath == nil { followRadio(of: scan, publisher) }
          return try makeSink(description, output, run, scan, showsForeign: selection.showsForeign)
        })
    } catch {
      result = .failure(error)
    }
    await publisher?.stop()
    // Then its updates end, and with them who tells of them.
    await local.stop()
    await teller?.value
    return try result.get()
  }

  /// Tells a home of one's own trackers; nil when there is none to be told.
  private func publish(
    _ devices: [Device], _ filter: HomeFilter, _ scan: LocalScan, _ luna: Luna
  ) async throws -> TrackerPublisher? {
    guard let configuration = try mqtt.configuration("local") else { return nil }
    let (diagnostics, buzzer) = (general.diagnostics, luna.buzzer())
    let publisher = try TrackerPublisher(
      configuration, topics: mqtt.topics, filter: filter,
      timeout: timeout ?? .seconds(60),
      ring: { uuid in
        guard let device = scan.devices.first(where: { $0.uuid == uuid }) else { return }
        diagnostics.note("luna: MQTT: ringing \(device.name ?? uuid.description)")
        buzzer.startBuzzing(localDevice: device)
      })
    let errors = buzzer.errors
    Task { for await error in errors { diagnostics.note("luna: \(error)") } }
    _ = BrokerNotes.follow(publisher.states, of: mqtt.broker, diagnostics)
    let updates = luna.local().updates
    guard let store = luna.settings.store else {
      publisher.start(devices, updates: updates)
      return publisher
    }
    let address = configuration.address
    let memory = AnnouncedTrackers(
      in: try self.store.state.path(), broker: "\(address.host):\(address.port)", mqtt.topics)
    try await publisher.start(devices, of: store, remembering: memory, updates: updates)
    return publisher
  }

  /// Tells who judges silences, and a home, what becomes of the radio, until its states end.
  private func followRadio(of scan: LocalScan, _ publisher: TrackerPublisher?) {
    Task {
      for await state in scan.states {
        guard let update = ListeningUpdate(state) else { continue }
        scan.take(update)
        publisher?.take(update)
      }
    }
  }

  /// Has commands run and a webhook told for what happens to one's own trackers, until the updates
  /// end.
  private func tell(
    _ outlets: EventOutlets, of updates: AsyncStream<LocalUpdate>, _ filter: HomeFilter
  ) -> Task<Void, Never> {
    Task {
      for await update in updates {
        if let uuid = update.state.uuid, filter.admits(uuid) { outlets.take(update) }
      }
      await outlets.finish()
    }
  }

  /// What a person wants to know of.
  private static let usualEvents: [LocalUpdate.Event] = [.appeared, .timedOut, .batteryLow]

  private func makeSink(
    _ description: SourceDescription, _ output: OutputBuffer, _ run: ListenRun, _ scan: LocalScan,
    showsForeign: Bool
  ) throws -> any ReportSink {
    var text: (@Sendable (LocalUpdate) -> String)?
    if outputFormat == .table, isatty(STDOUT_FILENO) == 1 {
      guard Terminal.isDumb else {
        return try LocalTableSink(
          description, scan, showsForeign: showsForeign, style: general.tableStyle, run: run)
      }
      let lines = LocalLineText(listen.zone.clock)
      output.append(line: lines.head)
      text = { lines.line($0) }
    } else {
      StartLine.append(description, to: output)
    }
    return LocalLinesSink(
      output, scan, isRecording: listen.isFile, showsForeign: showsForeign, text: text)
  }

  private func makeSettings(_ diagnostics: Diagnostics) async throws -> LunaSettings {
    var settings = LunaSettings()
    settings.store = try await store.open()
    settings.radio = try listen.makeProvider(state: try store.state.path(), diagnostics)
    settings.mode = listen.mode
    settings.time = listen.clock.time(listen.zone)
    // Those that were asked for; of all, also who comes later: a service runs for years.
    settings.local.followsNewDevices = devices.isEmpty && listen.readPath == nil
    if let timeout { settings.local.timeout = timeout / .seconds(1) }
    return settings
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
