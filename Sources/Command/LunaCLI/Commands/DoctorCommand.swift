import BlueZ
import Bluetooth
import CommandSpec
import Glibc
import Luna
import LunaClient
import LunaCore
import LunaDoctor
import LunaDocuments
import LunaLocation
import LunaStore
import LunaTables
import TerminalTable
import TrackerSimulation

/// `luna doctor`: what is in the way of a scan, a connection or a gateway, and what to do about it.
struct DoctorCommand: Sendable {
  var checks: [Check] = []
  var lists = false
  var location: LocationChoice?
  var adapters: [AdapterSelector] = []
  var radio: RadioName?
  var end: StopTime?
  var format: OutputFormat?
  var client = ClientOptions()
  var state = StateOption()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "doctor", "Find out what stops a scan, a connection or a gateway, and what to do.",
    discussion: [
      "Looks at adapters and what switches them off, at bluetoothd, D-Bus and permissions, at the "
        + "kernel and at other programs that scan, then listens for a few seconds. Of a gateway it "
        + "also checks the clock, the location source, the backend and its token, the queue, the "
        + "disk and the services. Each check prints a line with its state, and below it what to do "
        + "where something is wrong. Nothing is changed.",
      "A check is ok, a warning (it works, but something may be missed), failed, or unknown (it "
        + "could not be found out). The exit code is 1 if one has failed. Give the same options as "
        + "the command that does not work, or its --config file: what its section [finder] says of "
        + "the backend, the location and the radio counts here too.",
    ],
    initial: DoctorCommand(),
    arguments: [
      .repeated("NAME", "Run only these checks; --list shows them", \.checks, checkReader)
    ],
    groups: [
      checkGroup,
      ClientOptions.group(.gateway).scoped(to: \.client),
      StateOption.group.scoped(to: \.state),
      OptionGroup("Output", [OutputFormat.option(\.format)]),
      ZoneOptions.group.scoped(to: \.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna doctor", "Why is there nothing to see?"),
      Example(
        "sudo luna doctor --state /var/lib/luna --token-file /etc/luna/gateway.token",
        "Is this gateway well?"),
      Example("luna doctor rfkill power", "Two checks only"),
      Example("luna doctor --format jsonl", "For a monitoring program"),
    ],
    exitStatuses: [.done, .notFound, .usage, .interrupted, .terminated].map {
      (code: ExitCode) in ExitStatus(UInt8(code.rawValue), code.meaning)
    },
    borrowed: [
      BorrowedKeys(
        from: ["finder"],
        [
          "adapter", "allow-plain-http", "backend", "ca-file", "location", "proxy", "radio",
          "state", "token-file",
        ])
    ])

  /// What is checked, and how.
  private static var checkGroup: OptionGroup<DoctorCommand> {
    OptionGroup(
      "What to check",
      [
        .flag("list", "List the checks and what each looks at", \.lists),
        .value(
          "location", "WHERE", "Check this: static:LAT,LON[,ALT], gpsd[:HOST:PORT] or geoclue",
          \.location, FinderCommand.locationReader.map { $0 }),
        .repeated(
          "adapter", short: "i", "hciN|ADDRESS", "Check this adapter", \.adapters,
          ListenOptions.adaptersReader
        ).fromEnvironment("LUNA_ADAPTER"),
        .value("radio", "PATH", "Listen this way", \.radio, RadioName.reader())
          .defaulting(to: "auto").fromEnvironment("LUNA_RADIO"),
        .value(
          "duration", short: "T", "TIME", "How long to listen (5s, 1m), or until when (15:00)",
          \.end,
          .stopTime
        ).defaulting(to: "5s"),
      ]
    ).excluding("adapter", beside: "radio", "virtual")
  }

  private static var checkReader: ValueReader<Check> {
    .choice(Check.allCases.map { (Choice($0.rawValue, $0.summary), $0) })
  }

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let format = OutputFormat.chosen(format)
    return await CommandRun(output, general.diagnostics).run {
      guard !lists else {
        list(as: format, to: output)
        return .done
      }
      return try await examine(DoctorPrinter(format, general.tableStyle))
    }
  }

  private func examine(_ printer: DoctorPrinter) async throws -> ExitCode {
    let doctor = Doctor(try settings())
    let stop = StopRequest()
    let wanted = checks.isEmpty ? Check.allCases : checks
    let work = Task(executorPreference: CommandThread.tasks) {
      await doctor.examine(wanted) { printer.print($0) }
    }
    SignalWatcher.watch { [diagnostics = general.diagnostics] number in
      guard number != SIGUSR1 else {
        return diagnostics.answer("luna: " + printer.statistics(of: wanted.count))
      }
      // The second time somebody means it.
      guard stop.give(.signal(number)) else { Main.end(128 + number) }
      work.cancel()
    }
    ClosedPipe.watch {
      if stop.give(.closedPipe) { work.cancel() }
    }
    let findings = await work.value
    switch stop.reason {
    case .signal(SIGINT): return .interrupted
    case .signal: return .terminated
    case .closedPipe: return .done
    case .complete, .reload, nil: break
    }
    try printer.finish(findings)
    return findings.contains { $0.state == .failed } ? .notFound : .done
  }

  private func settings() throws -> DoctorSettings {
    let directory = try state.path()
    var settings = DoctorSettings()
    settings.state = StateDirectory(path: directory)
    settings.radio = try provider()
    settings.location = location
    settings.backend = client.backend.map { client.configuration(url: $0) }
    settings.token = client.tokenFile.map { .file($0) }
    if let end { settings.listening = end.duration(zone) }
    return settings
  }

  private func provider() throws -> any RadioProvider {
    switch radio ?? .path(.auto) {
    case .virtual(let seed): return try TrackerRoom(seed: seed)
    case .path(let path):
      let radio = AdapterRadio(path, options: ScanOptions(adapters: adapters))
      // What makes no sense is said before anything begins.
      _ = try radio.makeRadio(.auto)
      return radio
    }
  }

  private func list(as format: OutputFormat, to output: OutputBuffer) {
    let checks = Check.allCases
    Listing(
      fields: ["name", "summary"],
      columns: [.init(title: "NAME"), .init(title: "WHAT IT LOOKS AT", minimum: 20)]
    ).append(
      checks.count, as: format.ofList, to: output,
      line: { row, output in
        var writer = JSONFieldWriter("checkName", in: output)
        writer.string("name", checks[row].rawValue)
        writer.string("summary", checks[row].summary)
        writer.endLine()
      },
      cells: { [checks[$0].rawValue, checks[$0].summary] })
  }
}
