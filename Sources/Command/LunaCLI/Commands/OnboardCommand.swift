import Bluetooth
import CommandSpec
import EventLoop
import Glibc
import Luna
import LunaCore
import LunaDocuments
import LunaLocal
import LunaOnboarder
import LunaProtocol
import LunaStore
import TrackerSimulation

/// `luna onboard`: makes a tracker one's own.
struct OnboardCommand: Sendable {
  var address: BluetoothAddress?
  var name: String?
  var code: OnboardingCode?
  var codePath: String?
  var picturePath: String?
  var isUnauthenticated = false
  var wait: Duration?
  var isDryRun = false
  var output = OutputOptions()
  var radio = RadioOptions()
  var store = StoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "onboard", "Make a tracker your own.",
    discussion: [
      "Agrees on keys with a tracker in factory state, using the code on its label, and "
        + "stores them in the state directory. Without ADDRESS, it looks for the tracker that "
        + "the code belongs to.",
      "Trackers accept connections for 14 of every 64 seconds, or for a minute after their "
        + "button is pressed. The JSON lines are discoveredConnectable, "
        + "discoveredNonConnectable (luna waits for that tracker), and onboarded with device "
        + "and name.",
      "While the command starts, everybody on this machine can read a code given on the "
        + "command line: --code-file and --qr are safer. Without a code, there is no proof "
        + "which tracker answers; you have to agree to that, with --unauthenticated or on the "
        + "terminal, and press the tracker's button.",
      "With --radio virtual, the trackers in the simulated room have buttons too: a line "
        + "on standard input presses one, as for luna tracker run. The trackers in the state "
        + "directory are in the room; while one of them waits to be onboarded, none of the "
        + "room's own does.",
      "If the connection breaks halfway, nothing is lost: run the command again near the "
        + "tracker. The keys are stored before the tracker can have them, and the tracker is "
        + "then asked whether it has them.",
    ],
    initial: OnboardCommand(),
    arguments: [
      .optional("ADDRESS", "The tracker with this address", \.address, addressReader)
    ],
    groups: [
      OptionGroup(
        "Options",
        [
          .value("name", "NAME", "What to call it", \.name, .text),
          .value(
            "code", "LUNA1:...", "The code on its label; --code-file is safer", \.code, codeReader),
          .value(
            "code-file", "FILE", "Read the code from FILE; - is standard input", \.codePath, .file),
          .value(
            "qr", "IMAGE", "Read the code from a picture of the label (with zbarimg)",
            \.picturePath, .file),
          .flag(
            "unauthenticated", "Onboard without a code, with no proof which tracker answers",
            \.isUnauthenticated),
          .value(
            "wait", "TIME", "Wait at most TIME (5m) for the tracker to accept connections", \.wait,
            .duration
          ).defaulting(to: "as -T says, else 2m"),
          .value(
            "duration", short: "T", "TIME",
            "Give up after TIME (5m), or at TIME (15:00), however far it has come", \.radio.end,
            .stopTime),
          .flag("dry-run", "Find the tracker and say what would happen", \.isDryRun),
        ], exclusive: [["code", "code-file", "qr", "unauthenticated"]]),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      radioGroup.scoped(to: \.radio),
      ClockOptions.group.scoped(to: \.radio.clock), StoreOptions.group.scoped(to: \.store),
      ZoneOptions.group.scoped(to: \.radio.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna onboard --qr label.jpg --name Keys", "With a picture of the label"),
      Example("luna onboard --code-file code.txt", "With the code in a file"),
      Example(
        "luna onboard --code-file code.txt --radio virtual",
        "One that luna tracker create made, without an adapter"),
      Example(
        "echo button box | luna onboard --unauthenticated --radio virtual",
        "The same with its button instead of its code"),
    ],
    exitStatuses: ExitCode.statuses,
    check: { options throws(ValueProblem) in
      try options.radio.clock.check(options.radio.zone)
      guard options.name?.isEmpty != true else { throw ValueProblem("--name is empty") }
    })

  /// The time for all of it stands beside that for the search.
  private static var radioGroup: OptionGroup<RadioOptions> {
    var group = RadioOptions.group
    group.options.removeAll { $0.description.long == "duration" }
    return group
  }

  private static var addressReader: ValueReader<BluetoothAddress> {
    ValueReader(expects: "an address such as C0:FF:EE:00:00:01") { text throws(ValueProblem) in
      guard let address = BluetoothAddress(text) else { throw ValueProblem("is no address") }
      return address
    }
  }

  private static var codeReader: ValueReader<OnboardingCode?> {
    ValueReader(expects: "the line on the label: LUNA1: and 27 characters") {
      text throws(ValueProblem) in
      do throws(OnboardingCodeRejection) {
        return try OnboardingCode(text: text)
      } catch {
        throw ValueProblem("is not a code: \(error.words(in: text))")
      }
    }.secret()
  }

  func run() async -> ExitCode {
    if code != nil { CommandLineShredder.shred("--code") }
    let buffer = OutputBuffer(descriptor: STDOUT_FILENO)
    let format = OutputFormat.chosen(output.format)
    return await CommandRun(buffer, general.diagnostics).run {
      let diagnostics = general.diagnostics
      // From here on: who thinks about an answer uses up some of it.
      let end = radio.duration.map { ContinuousClock.now + $0 }
      var request = try await makeRequest()
      let store = try await self.store.open()
      // What is left of an earlier run is to be ended without a code as well.
      if needsConsent(request), try await store.pendingOnboardings().isEmpty {
        guard try await OnboardingConsent.ask(until: end) else { return refused(diagnostics) }
        request.allowsUnauthenticated = true
      }
      let room = try self.radio.makeRoom(state: try self.store.state.path(), diagnostics)
      let luna = Luna(try makeSettings(store, in: room, until: end))
      let run = NearbyRun(luna, diagnostics)
      let printer = OnboardingPrinter(buffer, isJSON: format == .jsonl, diagnostics)
      do {
        return try await run.run(
          following: try await luna.owner().allDevices(), started: printer.start
        ) { [request] in
          if let room, !needsConsent(request) { listenToButtons(of: room, request, diagnostics) }
          return try await onboard(request, luna.onboarder(), printer, diagnostics, until: end)
        }
      } catch let error as OnboardingError {
        if let code = run.interruption { return code }
        throw CommandFailure(error)
      }
    }
  }

  private func onboard(
    _ request: OnboardingRequest, _ onboarder: LunaOnboarder, _ printer: OnboardingPrinter,
    _ diagnostics: Diagnostics, until end: ContinuousClock.Instant?
  ) async throws -> ExitCode {
    var request = request
    while true {
      do throws(OnboardingError) {
        let outcome = try await onboarder.run(
          request, progress: { printer.print($0) }, events: { printer.print($0) })
        if case .found(let peer, let hint) = outcome { tellPlan(peer, hint, request, diagnostics) }
        return .done
      } catch {
        guard error.kind == .consentNeeded else { throw error }
        guard try await OnboardingConsent.ask(until: end) else { return refused(diagnostics) }
        request.allowsUnauthenticated = true
      }
    }
  }

  /// The trackers of the simulated room have buttons as well.
  private func listenToButtons(
    of room: TrackerRoom, _ request: OnboardingRequest, _ diagnostics: Diagnostics
  ) {
    guard TrackerInputReader.isPossible else { return }
    if request.code == nil, isatty(STDIN_FILENO) == 1 {
      diagnostics.note("luna: type 'button NAME' to press the button of a tracker in the room")
    }
    TrackerInputReader.start(names: room.names, diagnostics) { await room.send($0, to: $1) }
  }

  private func needsConsent(_ request: OnboardingRequest) -> Bool {
    request.code == nil && !request.allowsUnauthenticated && !isDryRun
  }

  private func refused(_ diagnostics: Diagnostics) -> ExitCode {
    diagnostics.note("luna: nothing was changed")
    return .notFound
  }

  private func tellPlan(
    _ peer: GATTPeer, _ hint: ESF, _ request: OnboardingRequest, _ diagnostics: Diagnostics
  ) {
    diagnostics.note(
      "luna: would onboard the tracker at \(peer)"
        + (request.code == nil
          ? " without a code (it shows the hint \(hint))" : ", which shows that it has this code")
        + (request.name.map { ", and call it \"\($0)\"" } ?? "") + "; nothing was changed")
  }

  private func makeRequest() async throws(CommandFailure) -> OnboardingRequest {
    let source: OnboardingCodeSource? =
      if let code {
        .word(code)
      } else if let codePath {
        .file(codePath)
      } else {
        picturePath.map { .picture($0) }
      }
    return OnboardingRequest(
      address.map { .address($0) } ?? .fitting, code: try await source?.read(), name: name,
      allowsUnauthenticated: isUnauthenticated, isDryRun: isDryRun)
  }

  private func makeSettings(
    _ store: any DeviceStore, in room: TrackerRoom?, until end: ContinuousClock.Instant?
  ) throws -> LunaSettings {
    var settings = LunaSettings()
    settings.store = store
    settings.radio = try radio.makeProvider(in: room)
    settings.time = radio.clock.time(radio.zone)
    settings.local.followsNewDevices = false
    let total = end.map { ContinuousClock.now.duration(to: $0) }
    settings.onboardingLimits.total = total
    if let wait = wait ?? total { settings.onboardingLimits.wait = wait }
    return settings
  }
}
