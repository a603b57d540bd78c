import LunaCore
import LunaJSON
import LunaStore
import LunaUplink
import UplinkProtocol

/// A run of `luna uplink locate` with servers of Wehe's, the original's way.
struct UplinkWeheLocateSession {
  let server: UplinkServer
  let way: UplinkServerOptions
  let options: UplinkReplayOptions
  let levels: LocalizeLevels
  let budget: UplinkBudgetOptions
  let keeper: UplinkKeeper
  private let stop: UplinkStop

  init(
    _ server: UplinkServer, _ way: UplinkServerOptions, _ options: UplinkReplayOptions,
    _ levels: LocalizeLevels, _ budget: UplinkBudgetOptions, _ keeper: UplinkKeeper
  ) {
    self.server = server
    self.way = way
    self.options = options
    self.levels = levels
    self.budget = budget
    self.keeper = keeper
    stop = UplinkStop(in: keeper.state.path)
  }

  /// Makes it.
  func run(_ replay: UplinkReplay) async throws -> ExitCode {
    stop.watch(keeper.printer.notes) { "a localization with servers of Wehe's runs" }
    let link = await UplinkLink.kind()
    let ledger = await UplinkLedger(budget, keeper.state, link: link)
    // Three tests; where only the servers know how long they are, as much as is allowed.
    let volume = replay.volume ?? ledger.budget / 3
    try ledger.check(3 * max(volume, replay.least))
    let (client, access) = try await way.connect(server)
    // Sites are asked for where servers are M-Lab's.
    var sites: LocateClient?
    if case .mlab = server { sites = try way.locateClient() }
    let reservation = try await ledger.reserve(3 * volume)
    var conditions = UplinkConditions(rule: options.rule.rawValue)
    conditions.link = link
    let settings = options.settings
    conditions.thresholds = [
      "area": .real(settings.area), "p": .real(settings.p), "ratio": .real(settings.ratio),
      "mwuP": .real(levels.variation), "correlationP": .real(levels.loss),
      "correlationShare": .real(levels.share),
    ]
    var replays = Set<WeheClient.Moment>()
    var pairs = Set<WeheLocator.Moment>()
    do {
      let (report, used): (LocateReport, Int64) = try await stop.run(
        telling: WeheLocateRun.Moment.self
      ) { [server, way, options, levels, sites, state = keeper.state] tell in
        let work = WeheLocateRun(
          server: server.text,
          client: { host async throws(ReplayError) in try await way.client(of: host) },
          sites: sites, replay: replay, setup: options.setup, levels: levels, state: state,
          limit: replay.limit(in: volume), link: options.sendsFacts ? link : nil, tell: tell)
        guard let access else { return try await work.locate(with: client) }
        return try await access.hold { try await work.locate(with: client) }
      } show: { moment in
        switch moment {
        case .single(.result), .single(.step), .both(.results), .both(.place): break
        case .single(let moment): replays.insert(moment)
        case .both(let moment): pairs.insert(moment)
        }
        try show(moment, replay.original.name.text)
      }
      try await ledger.settle(reservation, at: used)
      return stop.code(try await keeper.keep(report, conditions))
    } catch {
      if error is ReplayError || error is LocalizationError {
        // Of replays that did not begin nothing has gone.
        let begun = Int64(replays.count + 2 * pairs.count)
        let used = begun * replay.half(of: volume) + Int64(ReplayVolume.conversation)
        try await ledger.settle(reservation, at: min(used, reservation.bytes))
      }
      guard stop.isGiven else { throw error }
      let report = LocateReport(
        profile: replay.original.name.text, direction: "down", server: server.text)
      _ = try await keeper.keep(report, conditions, isCancelled: true)
      return stop.code(.done)
    }
  }

  private func show(_ moment: WeheLocateRun.Moment, _ name: String) throws {
    switch moment {
    case .single(let moment): try keeper.printer.tell(moment, of: name, share: 0)
    case .both(let moment): try keeper.printer.tell(moment, of: name)
    }
  }
}
