import CommandSpec
import LunaStore
import LunaUplink
import UplinkProtocol

/// `luna uplink check`: is the network fair?
struct UplinkCheckCommand: Sendable {
  var words: [String] = []
  var pairs = UplinkPairOptions()
  var replay = UplinkReplayOptions()
  var shared = UplinkSharedOptions()

  static let command = Command(
    "check", "Say whether the network treats Luna's traffic, or another app's, as other traffic.",
    discussion: [
      "With the backend (luna backend --uplink), or a server of luna uplink serve, pairs of slots are made: "
        + "connections that ask for the server by its name, which a network can see, and as many that ask for "
        + "--control-name, in an order that coins "
        + "decide. What the pairs say has at most 1 % of false alarms, and is confirmed by a second check.",
      "Recordings are replayed with a server of Wehe's. Each one has a control, which a network "
        + "cannot recognise: the file with Random in its name beside it, else the recording with all bits inverted. A "
        + "coin says which is first. The samples of both are judged by a rule of Wehe's programs; where they "
        + "differ, all is done once more, and both tests have to agree. What the server makes of them stands "
        + "beside. The exit code is 0 where all is fair, 1 where something is throttled, prioritised or "
        + "blocked, and 10 where the samples do not tell.",
      "What a run may use is taken out of the month's before anything is sent; more is refused (11). Several profiles, "
        + "and --direction both, have equal parts of it.",
      "A list of apps stands for the recordings that it names, in its directory; app:NAME chooses some of them.",
      "With --simulate nothing is sent, and no server is needed: the link is made up, what is compared are pairs "
        + "of slots of a profile (luna-upload, luna-command or https-generic), and the result is marked.",
    ],
    initial: UplinkCheckCommand(),
    arguments: [
      .repeated(
        "FILE", "A recording, a list of apps, app:NAME for one of a list, or a profile", \.words,
        .file)
    ],
    groups: [
      UplinkReplayOptions.group.scoped(to: \.replay),
      UplinkPairOptions.group.scoped(to: \.pairs),
    ] + UplinkSharedOptions.groups.map { $0.scoped(to: \.shared) },
    examples: [
      Example(
        "luna uplink check --backend https://luna.example",
        "Are uploads to the backend treated as others are?"),
      Example(
        "luna uplink check --simulate throttled", "What a result looks like, without a network"),
      Example(
        "luna uplink check app_list.json --server wehe:wehe.example --ca-file ca.pem",
        "All apps of a list"),
      Example(
        "luna uplink check app_list.json app:Pandora --server wehe:192.0.2.1 --plain",
        "One of them, without TLS"),
    ],
    exitStatuses: ExitCode.uplinkCheckStatuses,
    borrowed: [UplinkSharedOptions.gateway],
    check: { options throws(ValueProblem) in
      if let problem = options.shared.server.problem ?? options.pairs.problem { throw problem }
    })

  /// What is checked.
  private var named: [String] { words.isEmpty ? pairs.profiles : words }

  func run() async -> ExitCode {
    await shared.run { keeper, _, _ in
      if let simulation = pairs.simulation {
        let check = UplinkSimulatedCheck(
          simulation: simulation, options: pairs, confirms: replay.confirms, keeper: keeper)
        return try await check.run(profiles())
      }
      let isOfPairs = named.allSatisfy {
        BuiltInProfile(rawValue: $0).map { $0 != .recorded } ?? false
      }
      if isOfPairs { return try await checkPairs(keeper) }
      return try await checkRecordings(keeper)
    }
  }

  /// Makes it with a server of ours.
  private func checkPairs(_ keeper: UplinkKeeper) async throws -> ExitCode {
    let profiles = try profiles()
    guard let url = shared.server.ownURL else {
      throw CommandFailure(
        .backend, "no server is named that makes checks",
        hint:
          "give --backend or --server https://HOST[:PORT]: luna backend --uplink, or luna uplink "
          + "serve on a machine of your own, counts what it is sent and sends what is asked for")
    }
    guard try await isDue(keeper) else { return .done }
    let lock = try await keeper.begin()
    defer { withExtendedLifetime(lock) {} }
    let token = try await UplinkToken.read(shared.server.tokenPath(keeper.state.path))
    let session = UplinkPairSession(
      run: shared.makeRun(keeper), url: url, pairs: pairs, confirms: replay.confirms)
    return try await session.check(profiles, token: token)
  }

  /// Whether a check can begin now: one that nobody waits for may have to be left out.
  private func isDue(_ keeper: UplinkKeeper) async throws -> Bool {
    guard pairs.isScheduled else { return true }
    let diagnostics = shared.general.diagnostics
    // Who has taken the consent back has stopped schedules with it.
    guard try await UplinkConsent(in: keeper.state.path).current() != nil else {
      diagnostics.note("luna: nobody has agreed to checks, so nothing is sent")
      return false
    }
    guard try await UplinkSchedule(state: keeper.state).wait(diagnostics) else {
      diagnostics.note("luna: reports still wait, so nothing is checked now")
      return false
    }
    return true
  }

  /// Makes it with a server of Wehe's.
  private func checkRecordings(_ keeper: UplinkKeeper) async throws -> ExitCode {
    let replays = try await UplinkReplay.read(words: named)
    let unused = pairs.ofSlots
    if !unused.isEmpty {
      shared.general.diagnostics.note(
        "luna: recordings are replayed as they are, without \(unused.joined(separator: ", "))")
    }
    guard let name = shared.server.server else {
      throw CommandFailure(
        .backend, "no server is named that replays recordings",
        hint: "give --server wehe:HOST, with its --ca-file FILE")
    }
    guard try await isDue(keeper) else { return .done }
    let lock = try await keeper.begin()
    defer { withExtendedLifetime(lock) {} }
    let session = UplinkCheckSession(name, shared.server, replay, shared.budget, keeper)
    return try await session.run(replays)
  }

  /// The profiles that are named, else that of uploads.
  private func profiles() throws(CommandFailure) -> [BuiltInProfile] {
    guard !named.isEmpty else { return [.upload] }
    var profiles: [BuiltInProfile] = []
    for word in named {
      guard let profile = BuiltInProfile(rawValue: word), profile != .recorded else {
        throw CommandFailure(
          .usage, "\(word) is no profile of slots",
          hint: "name luna-upload, luna-command or https-generic")
      }
      profiles.append(profile)
    }
    return profiles
  }
}
