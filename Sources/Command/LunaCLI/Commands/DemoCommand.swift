import Bluetooth
import CommandSpec
import Glibc
import LunaBackend
import LunaDocuments
import LunaFinder
import LunaOnboarder
import TerminalTable

/// `luna demo`: the whole story on one machine.
struct DemoCommand: Sendable {
  var format: FinderFormat?
  var picture: String?
  var overwrites = false
  var kept: String?
  var speed = 30
  var showsFleet = false
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "demo", "Show everything on one machine, with no adapter and no network.",
    discussion: [
      "Two software trackers get an owner in a simulated room. A stranger's gateway "
        + "travels with them and reports them to a backend on loopback. The backend fails and "
        + "recovers. The owner rings a tracker through the gateway and verifies its receipt, "
        + "and finally opens all reports and draws a map.",
      "It runs the same code as luna finder, luna backend, luna owner and luna tracker, "
        + "with their defaults; only the radio is simulated, and time runs faster. It takes "
        + "about a minute and touches none of your data: its files are in a temporary "
        + "directory, which is removed afterwards.",
      "With --fleet it shows the console instead: a backend on loopback with 24 simulated gateways, "
        + "one of which fails, and one more whose label waits to be scanned. It prints a link to "
        + "open in a browser on this machine, and runs until Ctrl-C. All that is simulated is marked.",
    ],
    initial: DemoCommand(),
    groups: [
      OptionGroup(
        "Options",
        [
          .flag("fleet", "Show the console with a simulated fleet", \.showsFleet),
          .flag("force", "Overwrite an existing file", \.overwrites),
          .value("picture", "FILE", "Draw the map to FILE (SVG)", \.picture, .file)
            .defaulting(to: DemoPicture.standard),
          .value(
            "keep", "DIR", "Keep the databases in DIR, which must be empty or new", \.kept,
            .directory),
          .value("speed", "N", "Run time N times faster", \.speed, .integer(1...60))
            .defaulting(to: "30"),
          .value("format", "FORMAT", "text or jsonl", \.format, formatReader)
            .defaulting(to: "text on a terminal, else jsonl"),
        ]), ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna demo", "From onboarding to the map, in about a minute"),
      Example(
        "luna demo --keep /tmp/demo --picture /tmp/demo/map.svg", "Keep the files, to look at them"),
      Example("luna demo --fleet", "The console, until Ctrl-C"),
      Example("luna demo --format jsonl | jq -r .text", "For a program"),
    ],
    exitStatuses: ExitCode.clientStatuses,
    check: { options throws(ValueProblem) in
      guard !options.showsFleet || options.picture == nil else {
        throw ValueProblem("--fleet draws no map: --picture has no meaning with it")
      }
    })

  private static var formatReader: ValueReader<FinderFormat?> {
    .choice([
      (Choice("text", "for people"), .text),
      (Choice("jsonl", "a JSON object on each line"), .jsonl),
    ])
  }

  /// How long before the present the story begins, so that it ends about now.
  private static let lead: Int64 = 26 * 60

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let isJSON = (format ?? (isatty(STDOUT_FILENO) == 1 ? .text : .jsonl)) == .jsonl
    return await CommandRun(output, general.diagnostics).run {
      if showsFleet {
        let place = try DemoPlace(keeping: kept)
        defer { place.discard() }
        let printer = FleetDemoPrinter(
          output, isJSON: isJSON, width: Terminal.standardOutputWidth)
        let demo = FleetDemo(place: place, printer: printer)
        return try await tell(asked: { printer.statistics }) { try await demo.run() }
      }
      let picture = try DemoPicture(picture, force: overwrites)
      let place = try DemoPlace(keeping: kept)
      defer { place.discard() }
      let start = Timestamp(
        microseconds: Timestamp.now.microseconds - DemoCommand.lead * 1_000_000)
      let clock = DemoClock(speed: speed, start: start)
      let printer = DemoPrinter(
        output, isJSON: isJSON, isColored: general.usesColor, clock: clock, times: zone.clock,
        width: Terminal.standardOutputWidth)
      let story = DemoStory(place: place, picture: picture, clock: clock, printer: printer)
      return try await tell(asked: { printer.statistics }) { try await story.run() }
    }
  }

  /// - Parameter statistics: how far it is, for who asks by a signal.
  private func tell(
    asked statistics: @escaping @Sendable () -> String,
    _ story: @escaping @Sendable () async throws -> Void
  ) async throws -> ExitCode {
    let stop = StopRequest()
    let telling = Task(executorPreference: CommandThread.tasks) { try await story() }
    SignalWatcher.watch { [diagnostics = general.diagnostics] number in
      guard number != SIGUSR1 else { return diagnostics.answer("luna: " + statistics()) }
      // The second time somebody means it.
      guard stop.give(.signal(number)) else { Main.end(128 + number) }
      telling.cancel()
    }
    let result = await telling.result
    switch stop.reason {
    case .signal(SIGINT): return .interrupted
    case .signal: return .terminated
    default: break
    }
    do {
      try result.get()
      return .done
    } catch let error as OnboardingError {
      throw CommandFailure(error)
    } catch let error as FinderError {
      throw CommandFailure(finder: error)
    } catch {
      throw CommandFailure(backend: error) ?? error
    }
  }
}
