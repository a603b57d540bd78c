import CommandSpec
import LunaDocuments
import LunaStore
import LunaUplink
import UplinkProtocol

/// `luna uplink locate`: where is a difference made?
struct UplinkLocateCommand: Sendable {
  var word: String?
  var locate = UplinkLocateOptions()
  var replay = UplinkReplayOptions()
  var shared = UplinkSharedOptions()

  static let command = Command(
    "locate", "Say whether a difference is made in what the paths to two servers share.",
    discussion: [
      "Two servers are needed whose paths share the network of the provider and part behind it. First the paths are "
        + "looked at: it is refused where both names are one server (sameServer), where the paths part only at the "
        + "servers (noFork) or meet again (pathsMeetAgain), and, without --force, where too little is known of them "
        + "(pathUnknown). Where --pair is given several times, or the backend tells of several pairs, the first one is "
        + "taken that is not refused and can be found. Then a check is made with each server. Where both find the "
        + "same difference, slots go to one server alone, to both at once and twice at once to one: two that are as "
        + "fast together as one alone, and take from each other, are behind one limit (common), and two that are "
        + "faster behind one each (separate), unless each connection is limited by itself (perConnection). Losses "
        + "that come together speak for one limit, too, where controls are faster.",
      "With a recording it is done with servers of Wehe's, as its programs do it: a server names a pair, replays are "
        + "made with both at once, and it says what it makes of them.",
      "A third of --budget is for each check, and a third for the rest. The exit code is 0 where the place is known, 1 "
        + "where nothing speaks for one, and 10 where what was measured does not tell.",
    ],
    initial: UplinkLocateCommand(),
    arguments: [
      .optional(
        "FILE", "A recording, or luna-upload or https-generic; luna-upload without", \.word, .file)
    ],
    groups: [
      UplinkLocateOptions.group.scoped(to: \.locate),
      UplinkReplayOptions.onceGroup.scoped(to: \.replay),
    ] + UplinkSharedOptions.groups.map { $0.scoped(to: \.shared) },
    examples: [
      Example(
        "luna uplink locate --pair https://one.example,https://two.example",
        "Is it the provider, or one of the networks behind?"),
      Example("luna uplink locate --simulate common", "What a result looks like"),
      Example(
        "luna uplink locate replay.json --server wehe:wehe.example --ca-file ca.pem",
        "With servers of Wehe's"),
    ],
    exitStatuses: ExitCode.uplinkCheckStatuses,
    borrowed: [UplinkSharedOptions.check, UplinkSharedOptions.gateway],
    check: { options throws(ValueProblem) in
      if let problem = options.shared.server.problem { throw problem }
    })

  /// What is compared; nil for a recording.
  private var profile: BuiltInProfile? {
    guard let word else { return .upload }
    return BuiltInProfile(rawValue: word)
  }

  func run() async -> ExitCode {
    await shared.run { keeper, format, output in
      guard let profile else { return try await locateRecording(keeper) }
      guard profile == .upload || profile == .generic else {
        throw CommandFailure(
          .usage, "\(profile.rawValue) is no profile whose slots can be located",
          hint: "name luna-upload or https-generic")
      }
      if let simulation = locate.simulation {
        return try await UplinkSimulatedLocate(simulation: simulation, keeper: keeper).run(profile)
      }
      return try await locateSlots(profile, keeper, format, output)
    }
  }

  /// Makes it with servers of ours.
  private func locateSlots(
    _ profile: BuiltInProfile, _ keeper: UplinkKeeper, _ format: OutputFormat,
    _ output: OutputBuffer
  ) async throws -> ExitCode {
    let session = UplinkLocateSession(run: shared.makeRun(keeper), options: locate)
    if locate.measuresUsual {
      guard let url = locate.pairs.first?.first ?? shared.server.ownURL else {
        throw CommandFailure(
          .backend, "no server is named that makes checks",
          hint: "give --server https://HOST[:PORT]")
      }
      let lock = try await keeper.begin()
      defer { withExtendedLifetime(lock) {} }
      let token = try await token(keeper, isFirst: true)
      return try await session.measureUsual(url, profile, token: token, format, output)
    }
    guard !locate.pairs.isEmpty || shared.server.ownURL != nil else {
      throw UplinkLocateCommand.unpaired(LocalizationError(.noPair))
    }
    let lock = try await keeper.begin()
    defer { withExtendedLifetime(lock) {} }
    let tokens = [
      try await token(keeper, isFirst: true), try await token(keeper, isFirst: false),
    ]
    return try await session.locate(try await pairs(tokens[0]), profile, tokens: tokens)
  }

  /// The pairs that are named, else those that the backend knows.
  private func pairs(_ token: String) async throws(CommandFailure) -> [[String]] {
    guard locate.pairs.isEmpty, let url = shared.server.ownURL else { return locate.pairs }
    do throws(LocalizationError) {
      return try await shared.server.pairs(of: url, token: token)
    } catch {
      throw UplinkLocateCommand.unpaired(error)
    }
  }

  private static func unpaired(_ error: LocalizationError) -> CommandFailure {
    var failure = CommandFailure(error)
    failure.hint = "give --pair URL,URL: two servers of luna uplink serve in different networks"
    return failure
  }

  /// Makes it with servers of Wehe's.
  private func locateRecording(_ keeper: UplinkKeeper) async throws -> ExitCode {
    let replays = try await recordings()
    guard let replay = replays.first, replays.count == 1 else {
      throw CommandFailure(
        .usage, "a list of apps is no recording", hint: "name the recording of one of them")
    }
    guard let name = shared.server.server else {
      throw CommandFailure(
        .backend, "no server is named that knows pairs of servers",
        hint: "give --server wehe:HOST, with its --ca-file FILE")
    }
    let lock = try await keeper.begin()
    defer { withExtendedLifetime(lock) {} }
    let session = UplinkWeheLocateSession(
      name, shared.server, self.replay, locate.levels, shared.budget, keeper)
    return try await session.run(replay)
  }

  private func recordings() async throws(CommandFailure) -> [UplinkReplay] {
    do throws(UplinkError) {
      return try await UplinkReplay.read(words: [word ?? ""])
    } catch {
      var failure = CommandFailure(error)
      if failure.code == .unreadableInput {
        failure.name = LocalizationError.Kind.recordingUnreadable.rawValue
      }
      throw failure
    }
  }

  private func token(
    _ keeper: UplinkKeeper, isFirst: Bool
  ) async throws(UplinkError) -> String {
    try await UplinkToken.read(shared.server.tokenPath(keeper.state.path, isFirst: isFirst))
  }
}
