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
    try run.limit(&client, to: ledger.budget, slots: slots, least: least, "a check")
    var code = ExitCode.done
    for profile in profiles {
      // Commands go both ways as it is.
      let directions = profile == .command ? [SlotDirection.up] : pairs.direction.all
      for direction in directions where !run.stop.isGiven {
        code.worsen(try await check(profile, direction, client, ledger, link: link))
      }
    }
    return run.stop.code(code)
  }

  private func check(
    _ profile: BuiltInProfile, _ direction: SlotDirection, _ client: PairClient,
    _ ledger: UplinkLedger, link: String?
  ) async throws -> FairnessVerdict? {
    let began = ContinuousClock.now
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SplitMix64(seed: seed)
    var report = CheckReport(profile, direction: direction.rawValue, server: url)
    var conditions = run.conditions(link, seed: seed)
    var isCancelled = false
    var failure: (any Error)?
    do {
      repeat {
        let reservation = try await ledger.reserve(ledger.budget)
        let (finding, address) = try await finding(
          profile, direction, client, ledger, reservation, seed: generator.next())
        conditions.address = address
        let used = SlotVolume.used(finding.bytes, slots: finding.slots.count + 2)
        try await ledger.settle(reservation, at: used)
        report.add(finding)
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

  private func finding(
    _ profile: BuiltInProfile, _ direction: SlotDirection, _ client: PairClient,
    _ ledger: UplinkLedger, _ reservation: UplinkReservation, seed: UInt64
  ) async throws -> (CheckFinding, CutAddress?) {
    var address: CutAddress?
    var isGreeted = false
    do {
      let finding = try await run.stop.run(telling: PairClient.Moment.self) { tell in
        try await client.check(profile, direction, seed: seed, tell: tell)
      } show: { moment in
        isGreeted = true
        address = moment.address ?? address
        try run.keeper.printer.tell(moment, of: profile.rawValue)
      }
      return (finding, address)
    } catch {
      if !isGreeted { try await run.release(reservation, ledger) }
      throw error
    }
  }
}
