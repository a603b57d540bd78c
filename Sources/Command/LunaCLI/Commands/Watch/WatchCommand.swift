import Bluetooth
import CommandSpec
import Glibc
import Luna
import LunaCore
import LunaDocuments
import LunaHome
import LunaLocation
import LunaWatch

/// `luna watch`: whether a tracker of somebody else stays with you.
struct WatchCommand: Sendable {
  var track: String?
  var location: LocationChoice?
  var sensitivity = WatchSensitivity.medium
  var without: [WatchRules] = []
  var format: OutputFormat?
  var store = StoreOptions()
  var listen = ListenOptions()
  var general = GeneralOptions()

  static let command = Command(
    "watch", "Find trackers of others that stay with you.",
    discussion: [
      "A tracker that is heard on a trip and still there in the visit after it has come along. The grades "
        + "are notice (heard on a trip), suspect (came along once), alarm (came along again, or "
        + "stayed), and possible (some tracker of its kind was there each time). What says that its owner "
        + "is near stays a suspect, and is told once more when it came along on three days.",
      "Trips come from the places of whoever carries the radio: from --location, or for a recording "
        + "from --track. Without them, only what stays for long is noticed.",
      "Nothing found is not safe: silent trackers, and those with satellite navigation and a mobile "
        + "network of their own, cannot be found by listening. The last line says how long was "
        + "listened, and what was left out. Your own trackers are known by the keys in the state "
        + "directory, those that come there later as well, and listed with their trips.",
      "A home that runs watches by itself: luna watch list, show and mark are about what it has found.",
      "Exits with 1 when nothing reached suspect.",
    ],
    initial: WatchCommand(),
    groups: [
      OptionGroup(
        "What to watch",
        [
          .value("track", "FILE", "Where a recording was made: GPX or GeoJSON", \.track, .file),
          .value(
            "location", "WHERE", "Where you are: static:LAT,LON, gpsd[:HOST:PORT] or geoclue",
            \.location, FinderCommand.locationReader.map { $0 }
          ).fromEnvironment("LUNA_LOCATION"),
          .value(
            "sensitivity", "HOW", "How soon there is an alarm: low, medium or high",
            \.sensitivity,
            .choice(WatchSensitivity.allCases.map { (Choice($0.rawValue), $0) })
          ).defaulting(to: "medium"),
          .repeated(
            "without", "RULE", "Leave out a rule, to see what it is worth", \.without,
            .choice(WatchRules.named.map { (Choice($0.name), $0.rule) })),
          OutputFormat.option(\.format, of: [.table, .jsonl]),
        ]),
      StoreOptions.group.scoped(to: \.store), ListenOptions.group.scoped(to: \.listen),
      ClockOptions.group.scoped(to: \.listen.clock), ZoneOptions.group.scoped(to: \.listen.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna watch --location gpsd", "Watch while you are on the way"),
      Example("luna watch -r week.btsnoop --track week.gpx", "What came along, by a recording"),
      Example("luna watch list", "What a home has found"),
    ],
    exitStatuses: ExitCode.statuses,
    check: { options throws(ValueProblem) in
      try options.listen.check()
      guard options.track == nil || options.listen.readPath != nil else {
        throw ValueProblem("--track needs --read", remedy: "use --location with a radio")
      }
      guard options.location == nil || options.listen.readPath == nil else {
        throw ValueProblem("--location needs a radio", remedy: "use --track with --read")
      }
    })

  static let node: CommandNode<LunaCommand.Action> = command.node(subcommands: [
    WatchListCommand.command.node { options in { await options.run() } },
    WatchShowCommand.command.node { options in { await options.run() } },
    WatchMarkCommand.command.node { options in { await options.run() } },
  ]) { options in { await options.run() } }

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let fixes = try await fixes()
      var settings = LunaSettings()
      settings.store = try await store.open()
      settings.radio = try listen.makeProvider(
        state: try store.state.path(), general.diagnostics)
      settings.mode = listen.mode
      settings.time = listen.clock.time(listen.zone)
      settings.logger = SilentLogger()
      // Who comes while it runs is one's own from then on; a recording has its time behind it.
      settings.local.followsNewDevices = !listen.isFile
      let luna = Luna(settings)
      let scan = try await luna.local().scan(try await luna.owner().allDevices())
      let run = ListenRun(
        source: scan, isFile: listen.isFile, readPath: listen.readPath,
        duration: listen.duration, count: listen.count, recordingPath: listen.writePath,
        overwrites: listen.overwrites, diagnostics: general.diagnostics)
      var watch = WatchSettings()
      watch.sensitivity = sensitivity
      for rule in without { watch.rules.remove(rule) }
      let format = OutputFormat.chosen(format)
      let places = WatchPlaces(fixes)
      let source = location?.makeSource()
      let following = source.map { source in
        Task { [diagnostics = general.diagnostics] in
          // Who is on the way and has no places finds no trip: that is said, and not only at the end.
          await places.follow(
            source, lost: { diagnostics.warning("luna: the position is not known: \($0)") })
        }
      }
      await source?.start()
      var found = false
      let result: Result<ExitCode, any Error>
      do {
        var sink: WatchSink?
        let code = try await run.run { description in
          if format == .jsonl { StartLine.append(description, to: output) }
          var gate: ListeningGate?
          if format == .jsonl, !listen.isFile {
            gate = ListeningGate(output, adapter: { scan.description.adapter }, isLive: true)
          }
          let made = WatchSink(
            WatchEngine(watch), scan, places,
            WatchLines(output, isJSON: format == .jsonl, clock: listen.zone.clock),
            isFile: listen.isFile, gate: gate)
          sink = made
          return made
        }
        found = sink?.hasFound ?? false
        result = .success(code)
      } catch {
        result = .failure(error)
      }
      await source?.stop()
      await following?.value
      await luna.local().stop()
      let code = try result.get()
      guard code == .done || code == .notFound else { return code }
      return found ? .done : .notFound
    }
  }

  /// The track's positions, in the order of time.
  private func fixes() async throws -> [WatchFix] {
    guard let track else { return [] }
    let file = try ReplayedFile.read(try await InputFile.read(track), who: "self", name: track)
    if file.damaged > 0 {
      general.diagnostics.warning(
        "luna: \(file.damaged) points of \(EscapedPath.text(track)) could not be read")
    }
    return file.entries.compactMap { entry in
      guard case .fix(_, let fix) = entry.input else { return nil }
      return WatchFix(
        time: Timestamp(microseconds: entry.wall), latitude: fix.latitude,
        longitude: fix.longitude, accuracy: fix.accuracy)
    }
  }
}
