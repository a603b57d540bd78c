import Bluetooth
import CommandSpec
import Glibc
import Luna
import LunaCore
import LunaDocuments
import LunaHome
import LunaHomeWeb
import LunaJSON
import LunaStore
import ServiceManager

/// `luna home run`: a home that works, until it is ended.
struct HomeRunCommand: Sendable {
  var path: String?
  var isDemo = false
  var format: FinderFormat?
  var clock = ClockOptions()
  var store = StoreOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "run", "Run a home: listen, judge the rules, and do what they ask for.",
    discussion: [
      "Listens for your trackers, fetches what others have heard of them where the file names a backend, "
        + "and runs the rules. What happens is printed as it happens and kept in home.sqlite in the state "
        + "directory, where home.sock lets other luna commands use it.",
      "SIGHUP has it read the file again; a file with errors changes nothing. SIGTERM ends it with 0. "
        + "One home runs in a state directory: a second one ends with 6.",
      "At every boot: sudo systemctl enable --now luna-home. The service reads /etc/luna/home.json, which the "
        + "user luna-home has to be able to read. Its trackers are those in /var/lib/luna-home: sudo -u luna-home "
        + "luna onboard --state /var/lib/luna-home puts one there, as luna owner import does.",
      "With --demo it needs no adapter and no tracker: a simulated room with two trackers, and a week "
        + "that is made up. Its files are in a temporary directory, which is removed afterwards.",
    ],
    initial: HomeRunCommand(),
    arguments: [.optional("FILE", "The file", \.path, .file)],
    groups: [
      OptionGroup(
        "Options",
        [
          .flag("demo", "Simulate a room, trackers and a week", \.isDemo),
          .value("format", "FORMAT", "text or jsonl", \.format, FinderFormat.reader)
            .defaulting(to: "text on a terminal, else jsonl"),
        ]),
      ClockOptions.group.scoped(to: \.clock), StoreOptions.group.scoped(to: \.store),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna home run", "Your own home"),
      Example("luna home run --demo", "One that is made up"),
    ],
    exitStatuses: ExitCode.ofService(ExitCode.clientStatuses),
    check: { options throws(ValueProblem) in try options.clock.check(options.zone) })

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let isJSON = (format ?? (isatty(STDOUT_FILENO) == 1 ? .text : .jsonl)) == .jsonl
    return await CommandRun(output, general.diagnostics).run {
      let stop = StopRequest()
      // A signal during the beginning counts as well.
      watchSignals(stop, nil)
      guard isDemo else {
        let path = try HomePath.existing(path)
        let report = try await report(path)
        let setup = report.file.setup
        if setup.isDemo { return try await simulate(path, stop, output, isJSON) }
        let state = try store.state.path()
        var settings = try await HomeParts(setup: setup, diagnostics: general.diagnostics)
          .settings(state: state, store: await store.open())
        settings.time = clock.time(zone)
        return try await serve(settings, path, state, stop, output, isJSON)
      }
      return try await simulate(path, stop, output, isJSON)
    }
  }

  private func report(_ path: String) async throws -> HomeReport {
    let report = HomeReport(
      path, try await InputFile.read(path), .table, OutputBuffer(descriptor: STDERR_FILENO),
      general.diagnostics)
    if !report.file.isUsable {
      report.tellProblems()
      try? report.output.flush()
    }
    try report.requireUsable()
    return report
  }

  /// Runs a home that is made up.
  private func simulate(
    _ path: String?, _ stop: StopRequest, _ output: OutputBuffer, _ isJSON: Bool
  ) async throws -> ExitCode {
    let demo = try HomeDemo()
    let result: Result<ExitCode, any Error>
    do {
      general.diagnostics.note("luna: making up a home; all of it is simulated")
      let radio = try await demo.prepare(general.diagnostics)
      var settings = LunaSettings()
      settings.state = StateDirectory(path: demo.state)
      settings.logger = SilentLogger()
      settings.radio = radio
      let setup = HomeFile(try await bytes(path), in: .ofThisMachine).setup
      if let location = setup.location {
        settings.location = try LocationChoice(location)
      }
      result = .success(
        try await serve(settings, path, demo.state, stop, output, isJSON, isDemo: true))
    } catch {
      result = .failure(error)
    }
    await demo.discard()
    return try result.get()
  }

  /// The file, or that of the demonstration.
  private func bytes(_ path: String?) async throws -> [UInt8] {
    guard let path else { return Array(HomeDemo.file.utf8) }
    return try await InputFile.read(path)
  }

  private func parts(_ state: String, isDemo: Bool) -> ApplicationParts {
    let diagnostics = general.diagnostics
    var parts = ApplicationParts(
      read: { try await bytes($0.isEmpty ? nil : $0) },
      logger: { HomeLogger(diagnostics, $0.setup, state: state) })
    parts.warn = { diagnostics.warning("luna: " + $0) }
    parts.readPicture = {
      try await $1 ? PictureReader.texts(of: $0) : PictureReader.bytes(of: $0)
    }
    parts.isSimulated = isDemo
    return parts
  }

  /// The link for the first account never goes to a log that others read later.
  private func tellLink(_ application: LunaApplication) async throws {
    let diagnostics = general.diagnostics
    if getenv("INVOCATION_ID") != nil || ServiceManager.current.isThere {
      guard try await application.isWithoutAccount() else { return }
      return diagnostics.note("luna: make the first account with a link: luna home link")
    }
    if let link = try await application.firstAccountLink() {
      diagnostics.note("luna: make the first account, within 10 minutes: \(link)")
    }
  }

  private func serve(
    _ settings: LunaSettings, _ path: String?, _ state: String, _ stop: StopRequest,
    _ output: OutputBuffer,
    _ isJSON: Bool, isDemo: Bool = false
  ) async throws -> ExitCode {
    let diagnostics = general.diagnostics
    let application = LunaApplication(settings, parts(state, isDemo: isDemo))
    _ = try await application.loadConfiguration(path ?? "")
    let home: LunaHome
    let changes: AsyncStream<HomeChange>
    do {
      (home, changes) = try await application.begin()
    } catch let error as HomeError {
      throw CommandFailure(ExitCode(error.kind), error)
    }
    diagnostics.note(
      "luna: \(path.map { EscapedPath.text($0) } ?? "the home of the demonstration") holds; "
        + "what happens is kept in \(EscapedPath.text(state))/\(HomeStore.fileName)")
    if let address = application.address {
      diagnostics.note("luna: the app is at \(address)/")
      do {
        try await tellLink(application)
      } catch {
        // The files of a demonstration go after this.
        await application.stop()
        throw error
      }
    }
    watchSignals(stop, home)
    let service = ServiceLife(diagnostics) {
      // It works as long as it answers: without a radio it goes on with what others have heard.
      _ = await home.snapshot().revision
      return .zero
    }
    service.begin("the home \(await home.snapshot().name) runs")
    defer { service.end() }
    let printer = HomePrinter(output: output, isJSON: isJSON, times: zone.times)
    printer.begin(await home.snapshot(), isSimulated: isDemo)
    ClosedPipe.watch { stop.give(.closedPipe) }
    let ending = Task {
      while stop.reason == nil { await stop.wait(for: .seconds(3600)) }
      await application.stop()
    }
    var failure: OutputBuffer.WriteError?
    do throws(OutputBuffer.WriteError) {
      for await change in changes { try printer.print(change) }
    } catch {
      failure = error
      stop.give(.closedPipe)
    }
    await ending.value
    switch stop.reason {
    case .signal(SIGINT): return .interrupted
    case .closedPipe:
      if let failure { throw failure }
      return .unread(diagnostics)
    default: return .done
    }
  }

  private func watchSignals(_ stop: StopRequest, _ home: LunaHome?) {
    let reloads = ServiceReload.isAsked
    let diagnostics = general.diagnostics
    SignalWatcher.watch { number in
      if number == SIGUSR1 {
        Task {
          guard let home else { return }
          diagnostics.answer("luna: " + (await home.snapshot().statistics))
        }
        return
      }
      if number == SIGHUP, reloads {
        guard let home else { return }
        Task { await reload(home) }
        return
      }
      // The second time somebody means it.
      guard stop.give(.signal(number)) else { Main.end(128 + number) }
    }
  }

  /// Has the home read its file again, and says what came of it.
  private func reload(_ home: LunaHome) async {
    ServiceManager.current.tell(.reloading)
    defer { ServiceManager.current.tell(.ready) }
    do {
      let problems = try await home.reload()
      let path = path ?? "home.json"
      for problem in problems where problem.level == .error {
        general.diagnostics.warning("luna: \(problem.description(file: path))")
      }
      general.diagnostics.note(
        problems.contains { $0.level == .error }
          ? "luna: the home goes on with the file that it had"
          : "luna: the file was read again, and holds")
    } catch {
      general.diagnostics.warning("luna: the home goes on with the file that it had: \(error)")
    }
  }
}
