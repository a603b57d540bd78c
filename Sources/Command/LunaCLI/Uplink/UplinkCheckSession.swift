import EventLoop
import LunaCore
import LunaJSON
import LunaStore
import LunaUplink
import UplinkProtocol

/// A run of `luna uplink check` with a server of Wehe's.
struct UplinkCheckSession {
  private let server: UplinkServer
  private let way: UplinkServerOptions
  private let options: UplinkReplayOptions
  private let budget: UplinkBudgetOptions
  private let keeper: UplinkKeeper
  private let stop: UplinkStop

  init(
    _ server: UplinkServer, _ way: UplinkServerOptions, _ options: UplinkReplayOptions,
    _ budget: UplinkBudgetOptions, _ keeper: UplinkKeeper
  ) {
    self.server = server
    self.way = way
    self.options = options
    self.budget = budget
    self.keeper = keeper
    stop = UplinkStop(in: keeper.state.path)
  }

  /// Makes the check of each replay; the worst of the verdicts decides, or that one could not be checked.
  func run(_ replays: [UplinkReplay]) async throws -> ExitCode {
    stop.watch(printer.notes) { [count = replays.count] in
      "a check of \(count) \(count == 1 ? "recording" : "recordings") runs"
    }
    let link = await UplinkLink.kind()
    let ledger = await UplinkLedger(budget, state, link: link)
    let known = replays.reduce(0) { $0 + $1.least }
    try ledger.check(known)
    // Those of which only the server knows have what is left, in equal parts.
    let others = replays.count { $0.volume == nil }
    let rest = (ledger.budget - known) / Int64(max(1, others))
    let (client, access) = try await way.connect(server)
    var (code, settings) = (ExitCode.done, options.settings)
    var failure: CommandFailure?
    try await UplinkCheckSession.each(replays) { replay in
      guard !stop.isGiven else { return }
      let verdict = try await check(
        replay, client, access, ledger, rest: rest, &settings, link: link)
      code.worsen(verdict)
    } failed: { replay, error in
      let problem = CommandFailure(error, of: replay.original.name.text)
      printer.notes.warning("luna: \(problem.reason)")
      if failure == nil { failure = problem }
    }
    if let failure, !stop.isGiven { throw failure }
    return stop.code(code)
  }

  /// Does something for each of several replays, also where it fails for one of them by itself.
  ///
  /// - Parameter failed: is told of that.
  /// - Throws: what concerns all of them; anything where there is only one.
  static func each<Replay>(
    _ replays: [Replay], check: (Replay) async throws -> Void,
    failed: (Replay, ReplayError) -> Void
  ) async throws {
    for replay in replays {
      do {
        try await check(replay)
      } catch let error as ReplayError where replays.count > 1 && error.kind.isOfOneRecording {
        failed(replay, error)
      }
    }
  }

  private var printer: UplinkPrinter { keeper.printer }
  private var state: StateDirectory { keeper.state }

  private func check(
    _ replay: UplinkReplay, _ client: WeheClient, _ access: AccessChannel?, _ ledger: UplinkLedger,
    rest: Int64, _ settings: inout OriginalSettings, link: String?
  ) async throws -> FairnessVerdict? {
    let began = ContinuousClock.now
    let seed = UInt64.random(in: 0 ... .max)
    var order = PairOrder(seed: seed)
    var client = client
    client.isTimed = options.isTimed
    let volume = replay.volume ?? replay.least + rest
    client.byteLimit = replay.limit(in: volume)
    client.nominalSeconds = options.buckets == .nominal ? replay.seconds : nil
    var report = ReplayReport(profile: replay.original.name.text, server: server.text)
    var conditions = UplinkConditions(rule: options.rule.rawValue)
    conditions.seed = seed
    conditions.link = link
    var isCancelled = false
    var failure: (any Error)?
    do {
      repeat {
        conditions.thresholds = [
          "area": .real(settings.area), "p": .real(settings.p), "ratio": .real(settings.ratio),
        ]
        let reservation = try await ledger.reserve(volume)
        let result = try await test(
          replay, client, access, ledger, reservation, settings,
          isOriginalFirst: order.nextIsOriginalFirst(), link: options.sendsFacts ? link : nil,
          isRepeated: report.verdict != nil)
        try await ledger.settle(reservation, at: replay.used(result.comparison))
        report.add(result.comparison, result.outcome)
        settings.follow(result.comparison, by: options.rule)
        conditions.address = result.ownAddress.flatMap { CutAddress(text: $0) }
      } while options.confirms && report.needsConfirmation
    } catch {
      isCancelled = stop.isGiven
      // What the first test has found is not lost where the second one comes to nothing.
      guard isCancelled || report.verdict != nil else { throw error }
      report.isUnconfirmed = true
      failure = error
    }
    try await keeper.keep(conditions, samples: report.samples) { id, time in
      report.json(id: id, time: time, isCancelled: isCancelled)
    }
    guard !isCancelled else { return nil }
    await keeper.record(report.verdict, since: began)
    if let failure { throw failure }
    return report.verdict
  }

  private func test(
    _ replay: UplinkReplay, _ client: WeheClient, _ access: AccessChannel?, _ ledger: UplinkLedger,
    _ reservation: UplinkReservation, _ settings: OriginalSettings, isOriginalFirst: Bool,
    link: String?, isRepeated: Bool
  ) async throws -> WeheTestResult {
    let (state, history) = (state, options.history)
    // Its number is on the disk before a server hears of it.
    let identity = try await Blocking.run { () throws(DeviceStoreError) -> UplinkIdentity in
      try UplinkStore(in: state).countTests(1, from: history)
    }
    let plan = ReplayPlan(
      user: options.user ?? identity.user, recording: replay.original, isControl: false,
      extra: options.extra, history: Int(identity.history), isLast: false,
      isPortTest: replay.isPortTest, link: link)
    guard let plan else { throw ReplayError(.refused, "the server takes no such user") }
    let rule = options.rule
    var begun: Set<WeheClient.Moment> = []
    do {
      return try await stop.run(telling: WeheClient.Moment.self) { tell in
        let check: @Sendable () async throws -> WeheTestResult = {
          try await client.check(
            plan, control: replay.control, isOriginalFirst: isOriginalFirst, rule: rule,
            settings: settings, tell: tell)
        }
        guard let access else { return try await check() }
        return try await access.hold(check)
      } show: { moment in
        let name = replay.original.name.text
        if case .step = moment { return try printer.tell(moment, of: name, share: 0) }
        // A server that is busy is asked again for the same replay.
        let isAgain = !begun.insert(moment).inserted
        // A second test makes two replays more.
        let share = Double(begun.count - 1) / 2
        try printer.tell(
          moment, of: name, share: isRepeated ? 0.5 + share / 2 : share, isAgain: isAgain)
      }
    } catch let error as ReplayError
      where error.kind == .blocked || error.kind.isBeforeData && begun.count < 2
    {
      // Both were blocked, or there was no other one than the first: else a server that is away would use up a month.
      try await ledger.settle(reservation, at: Int64(ReplayVolume.conversation))
      throw error
    } catch let error as ReplayError where begun.count < 2 {
      // Of the other replay nothing has gone.
      try await ledger.settle(reservation, at: replay.half(of: reservation.bytes))
      throw error
    }
  }
}
