import EventLoop
import LunaCore
import LunaStore
import LunaUplink
import UplinkProtocol

/// A run of `luna uplink dpi`.
struct UplinkDPISession {
  let run: UplinkRun
  let options: UplinkDPIOptions
  let replay: UplinkReplayOptions

  /// Finds out which fields of uploads to a server of ours are recognised.
  func inspectFields(_ url: String, token: String) async throws -> ExitCode {
    let (link, ledger) = await run.begin { "an inspection of uploads runs" }
    var client = PairClient(try await run.way.place(of: url), token: token)
    client.controlName = options.controlName
    let inspected = PairClient.inspection
    try run.limit(
      &client, to: ledger.budget, slots: inspected.slots, least: inspected.leastBudget,
      "an inspection")
    let reservation = try await ledger.reserve(ledger.budget)
    let seed = UInt64.random(in: 0 ... .max)
    var conditions = UplinkConditions(FairnessThresholds.inspection, seed: seed, link: link)
    let otherPort = options.otherPort
    var inspection = Inspection(
      InspectedField.allCases.filter { $0 != .port || otherPort != nil }, bytes: 0,
      seed: seed)
    var totals = (bytes: 0, seconds: 0.0)
    let tally = SlotTally()
    var isCancelled = false
    do {
      let outcome = try await run.stop.run(telling: PairClient.Moment.self) {
        [client, inspection] tell in
        try await client.inspect(inspection, otherPort: otherPort, tally: tally, tell: tell)
      } show: { moment in
        conditions.address = moment.address ?? conditions.address
        try run.keeper.printer.tell(moment, of: BuiltInProfile.upload.rawValue)
      }
      inspection = outcome.inspection
      totals = (outcome.bytes, outcome.seconds)
      try await ledger.settle(reservation, at: tally.used)
    } catch {
      // What did not go is there for another one.
      try await ledger.settle(reservation, at: tally.used)
      guard run.stop.isGiven else { throw error }
      isCancelled = true
    }
    var report = InspectionReport(
      inspection, of: BuiltInProfile.upload.rawValue, nil, server: url)
    report.bytes = Int64(totals.bytes)
    report.seconds = totals.seconds
    return try await keep(report, inspection, conditions, isCancelled: isCancelled)
  }

  /// Finds out which bytes of a recording are recognised.
  func inspectBytes(of replay: UplinkReplay, with host: String) async throws -> ExitCode {
    let (link, ledger) = await run.begin { "an inspection of a recording runs" }
    let bytes = InspectedBytes(replay.original)
    let expected = [replay.original, replay.control].compactMap { ReplayVolume.expected($0) }
    // Where only the server knows, a part of what is allowed is taken for each.
    let share = ledger.budget / Int64(4 * Inspection.least)
    let volume = expected.count == 2 ? expected.reduce(0, max) : share
    let count = Int64(Inspection.least)
    try ledger.check(expected.count == 2 ? volume * count : 2 * replay.least * count)
    let progress = try InspectionProgress(in: run.keeper.state.path, of: bytes)
    let answers = options.resumes ? try await progress.read() : []
    var client = try await run.way.client(of: host)
    client.isTimed = false
    client.byteLimit = replay.limit(in: 2 * share)
    let inspector = ReplayInspector(
      client, try await plan(replay), control: replay.control, bytes, volume: volume)
    let reservation = try await ledger.reserve(ledger.budget)
    let seed = UInt64.random(in: 0 ... .max)
    let conditions = UplinkConditions(FairnessThresholds.inspection, seed: seed, link: link)
    let inspection = Inspection([], bytes: bytes.count, seed: seed, answers: answers)
    let outcome = try await run.stop.run(telling: PairClient.Moment.self) {
      [budget = ledger.budget] tell in
      try await inspector.inspect(
        inspection, budget: budget, keep: { try await progress.write($0) }, tell: tell)
    } show: {
      try run.keeper.printer.tell($0, of: replay.original.name.text)
    }
    try await ledger.settle(reservation, at: outcome.used)
    if let failure = outcome.failure, !outcome.isCancelled { throw failure }
    switch outcome.inspection.reason {
    case .contradictory?, .probes?: await progress.remove()
    case nil: if !outcome.isCancelled { await progress.remove() }
    case .tooClose?, .noisy?, .failed?, .budget?: break
    }
    var report = InspectionReport(
      outcome.inspection, of: replay.original.name.text, bytes, server: "wehe:\(host)")
    report.bytes = Int64(outcome.bytes)
    report.seconds = outcome.seconds
    return try await keep(
      report, outcome.inspection, conditions, isCancelled: outcome.isCancelled)
  }

  /// What the server is told of all replays: for it they are one test.
  func plan(_ replay: UplinkReplay) async throws -> ReplayPlan {
    let (state, history) = (run.keeper.state, self.replay.history)
    let identity = try await Blocking.run { () throws(DeviceStoreError) -> UplinkIdentity in
      try UplinkStore(in: state).countTests(1, from: history)
    }
    let plan = ReplayPlan(
      user: self.replay.user ?? identity.user, recording: replay.original, isControl: false,
      extra: self.replay.extra, history: Int(identity.history), isLast: true,
      isPortTest: replay.isPortTest)
    guard let plan else { throw ReplayError(.refused, "the server takes no such user") }
    return plan
  }

  private func keep(
    _ report: InspectionReport, _ inspection: Inspection, _ conditions: UplinkConditions,
    isCancelled: Bool
  ) async throws -> ExitCode {
    try await run.keeper.keep(conditions) { id, time in
      report.json(id: id, time: time, isCancelled: isCancelled)
    }
    if inspection.reason == .budget {
      run.keeper.printer.notes.note(
        "luna: there was as much data as there may be: --budget SIZE allows more, and --resume goes on "
          + "with a recording")
    }
    return run.stop.code(isCancelled ? .done : ExitCode(inspection))
  }
}

extension PairClient.Moment {
  /// The address that the server says, as far as it is kept: it may say all of it.
  var address: CutAddress? {
    guard case .allowed(let text) = self else { return nil }
    return CutAddress(text: String(text.prefix { $0 != "/" }))
  }
}
