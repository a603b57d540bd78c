import CommandSpec
import LunaStore
import LunaUplink
import UplinkProtocol

/// `luna uplink dpi`: what gives traffic away to a network that treats it otherwise?
struct UplinkDPICommand: Sendable {
  var path: String?
  var dpi = UplinkDPIOptions()
  var replay = UplinkReplayOptions()
  var shared = UplinkSharedOptions()

  static let command = Command(
    "dpi", "Find out which fields and bytes a network recognises.",
    discussion: [
      "To be run behind a check that has found a difference: traffic that is treated otherwise has something that "
        + "the network recognises. First it is measured how originals and controls fare; then one thing of an "
        + "original is changed at a time, and it is seen which of the two it fares like now, by at most six slots.",
      "Without a FILE these are fields of luna-upload, with a server of luna uplink serve or the backend: the name "
        + "that the server is asked for (sni), what is to be spoken (alpn), the version of TLS (tlsVersion), the "
        + "size, and with --other-port the port.",
      "Of a recording they are the bytes of its first ten packets, with all bits the other way round; of TLS from "
        + "byte 10 on, for networks check the lengths before that. Where a change of many ends the treatment, "
        + "fewer are changed, down to single ones; things each of which is recognised by itself are told apart. "
        + "At the end it is seen whether what was found is all, and enough. The server is one of one's own "
        + "(luna uplink serve --wehe), which takes any bytes of the right length.",
      "There are at most 200 probes, and no more data than --budget: --resume goes on. The exit code is 0 where "
        + "something was found, 1 where nothing was, or no check has found a difference, and 10 where originals and "
        + "controls fare too much alike (tooClose) or slots vary too much.",
    ],
    initial: UplinkDPICommand(),
    arguments: [.optional("FILE", "A recording; luna-upload without", \.path, .file)],
    groups: [
      UplinkDPIOptions.group.scoped(to: \.dpi),
      UplinkReplayOptions.toldGroup.scoped(to: \.replay),
    ] + UplinkSharedOptions.groups.map { $0.scoped(to: \.shared) },
    examples: [
      Example(
        "luna uplink dpi --backend https://luna.example", "Is it the name of the backend?"),
      Example(
        "luna uplink dpi clip.json --server wehe:192.0.2.1 --ca-file ca.pem",
        "Which bytes of a recording are it?"),
      Example("luna uplink dpi --simulate name", "What a result looks like"),
    ],
    exitStatuses: ExitCode.uplinkCheckStatuses,
    borrowed: [UplinkSharedOptions.check, UplinkSharedOptions.gateway],
    check: { options throws(ValueProblem) in
      if let problem = options.shared.server.problem { throw problem }
    })

  func run() async -> ExitCode {
    await shared.run { keeper, _, _ in
      if let simulation = dpi.simulation {
        return try await UplinkSimulatedDPI(behaviour: simulation, keeper: keeper).run()
      }
      let session = UplinkDPISession(
        run: shared.makeRun(keeper), options: dpi, replay: self.replay)
      guard let path, path != BuiltInProfile.upload.rawValue else {
        return try await inspectFields(session, keeper)
      }
      return try await inspectBytes(path, session, keeper)
    }
  }

  /// Looks at the fields of uploads, with a server of ours.
  private func inspectFields(
    _ session: UplinkDPISession, _ keeper: UplinkKeeper
  ) async throws -> ExitCode {
    guard let url = shared.server.ownURL else {
      throw CommandFailure(
        .backend, "no server is named to which uploads go",
        hint: "give --backend or --server https://HOST[:PORT]; or a recording, for wehe:HOST")
    }
    let lock = try await begin(keeper, BuiltInProfile.upload.rawValue)
    defer { withExtendedLifetime(lock) {} }
    let token = try await UplinkToken.read(shared.server.tokenPath(keeper.state.path))
    return try await session.inspectFields(url, token: token)
  }

  /// Looks at the bytes of a recording, with a server of ours that replays it.
  private func inspectBytes(
    _ path: String, _ session: UplinkDPISession, _ keeper: UplinkKeeper
  ) async throws -> ExitCode {
    let replays = try await UplinkReplay.read(words: [path])
    guard let replay = replays.first, replays.count == 1 else {
      throw CommandFailure(
        .usage, "a list of apps is no recording", hint: "name the recording of one of them")
    }
    guard case .wehe(let host)? = shared.server.server else {
      throw CommandFailure(
        .backend, "no server of one's own is named that replays recordings",
        hint: "give --server wehe:HOST: luna uplink serve --wehe --recordings DIR is one")
    }
    let lock = try await begin(keeper, replay.original.name.text)
    defer { withExtendedLifetime(lock) {} }
    return try await session.inspectBytes(of: replay, with: host)
  }

  /// Goes on when somebody has agreed to it, and there is something to be found.
  private func begin(_ keeper: UplinkKeeper, _ profile: String) async throws -> WaitingLock {
    let lock = try await keeper.begin()
    try await keeper.requireDifference(in: profile)
    try await UplinkSchedule(state: keeper.state).note(keeper.printer.notes)
    return lock
  }
}
