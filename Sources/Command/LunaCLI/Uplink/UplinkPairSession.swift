import EventLoop
import LunaCore
import LunaStore
import LunaUplink
import UplinkProtocol

/// A run of `luna uplink check` with a server of ours.
struct UplinkPairSession {
  /// How many slots a check has at most, where it has no aim.
  static let slots = 34

  let run: UplinkRun
  let url: String
  let pairs: UplinkPairOptions
  let confirms: Bool

  /// Makes the check of each profile; the worst of the verdicts decides.
  func check(_ profiles: [BuiltInProfile], token: String) async throws -> ExitCode {
    let (link, ledger) = await run.begin { "a check with a server of Luna's runs" }
    var client = PairClient(try await run.way.place(of: url), token: token)
    client.aim = pairs.aim
    client.controlName = pairs.controlName
    client.pairs = pairs.count
    let (slots, least) = (2 * client.most + 2, client.leastBudget)
    // Commands go both ways as it is.
    let checks = profiles.flatMap { profile in
      (profile == .command ? [SlotDirection.up] : pairs.direction.all).map { (profile, $0) }
    }
    // What a run may use is for all of them together.
    let share = ledger.budget / Int64(max(1, checks.count))
    try run.limit(
      &client, to: share, slots: slots, least: least,
      checks.count == 1 ? "a check" : "each of \(checks.count) checks")
    var allowance = try await UplinkAllowance(share, checks: checks.count, of: ledger)
    var code = ExitCode.done
    do {
      for (profile, direction) in checks where !run.stop.isGiven {
        let verdict = try await check(
          profile, direction, client, ledger, share: share, &allowance, link: link)
        code.worsen(verdict)
      }
    } catch {
      try await allowance.close()
      throw error
    }
    try await allowance.close()
    return run.stop.code(code)
  }

  private func check(
    _ profile: BuiltInProfile, _ direction: SlotDirection, _ client: PairClient,
    _ ledger: UplinkLedger, share: Int64, _ allowance: inout UplinkAllowance, link: String?
  ) async throws -> FairnessVerdict? {
    let began = ContinuousClock.now
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SplitMix64(seed: seed)
    var report = CheckReport(profile, direction: direction.rawValue, server: url)
    var conditions = UplinkConditions(
      FairnessThresholds.check(aim: pairs.aim, pairs: pairs.count), seed: seed, link: link)
    var isCancelled = false
    var failure: (any Error)?
    do {
      repeat {
        // A second check may use as much again.
        let reservation = try await report.verdict == nil ? nil : ledger.reserve(share)
        let tally = SlotTally()
        let outcome: (finding: CheckFinding, address: CutAddress?)
        do {
          outcome = try await finding(profile, direction, client, tally, seed: generator.next())
        } catch {
          // What did not go is there for another one.
          try await spend(tally, reservation, ledger, &allowance)
          throw error
        }
        try await spend(tally, reservation, ledger, &allowance)
        conditions.address = outcome.address
        report.add(outcome.finding)
      } while confirms && report.needsConfirmation
    } catch {
      isCancelled = run.stop.isGiven
      // What the first test has found is not lost where the second one comes to nothing.
      guard isCancelled || report.verdict != nil else { throw error }
      report.isUnconfirmed = true
      failure = error
    }
    try await run.keeper.keep(conditions, samples: report.samples) { id, time in
      report.json(id: id, time: time, isCancelled: isCancelled)
    }
    guard !isCancelled else { return nil }
    await run.keeper.record(report.verdict, since: began)
    if let failure { throw failure }
    return report.verdict
  }

  /// Says what a check has used: of its reservation, else of what was taken for all.
  private func spend(
    _ tally: SlotTally, _ reservation: UplinkReservation?, _ ledger: UplinkLedger,
    _ allowance: inout UplinkAllowance
  ) async throws {
    guard let reservation else { return try await allowance.spend(tally.used) }
    try await ledger.settle(reservation, at: tally.used)
  }

  private func finding(
    _ profile: BuiltInProfile, _ direction: SlotDirection, _ client: PairClient,
    _ tally: SlotTally, seed: UInt64
  ) async throws -> (CheckFinding, CutAddress?) {
    var address: CutAddress?
    let finding = try await run.stop.run(telling: PairClient.Moment.self) { tell in
      try await client.check(profile, direction, seed: seed, tally: tally, tell: tell)
    } show: { moment in
      address = moment.address ?? address
      try run.keeper.printer.tell(moment, of: profile.rawValue)
    }
    return (finding, address)
  }
}
