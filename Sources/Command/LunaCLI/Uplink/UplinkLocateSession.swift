import LunaCore
import LunaDocuments
import LunaJSON
import LunaStore
import LunaUplink
import UplinkProtocol

/// A run of `luna uplink locate` with two servers of ours.
struct UplinkLocateSession {
  let run: UplinkRun
  let options: UplinkLocateOptions

  // MARK: The place

  /// Makes checks with both servers, and looks where what they find is made.
  ///
  /// - Parameter tokens: one for each server.
  func locate(
    _ urls: [String], _ profile: BuiltInProfile, tokens: [String]
  ) async throws -> ExitCode {
    let (link, ledger) = await run.begin { "a localization with two servers of Luna's runs" }
    var report = LocateReport(
      profile: profile.rawValue, direction: SlotDirection.up.rawValue,
      server: urls.joined(separator: " "))
    // A third for each check, and one for the blocks.
    let part = ledger.budget / 3
    var clients: [PairClient] = []
    for (url, token) in zip(urls, tokens) {
      clients.append(
        try await client(
          of: url, token: token, part: part, slots: UplinkPairSession.slots,
          least: PairClient.leastBudget))
    }
    let blocks = try await client(
      of: urls[0], token: tokens[0], part: part, slots: LocateBlocks.flows,
      least: PairLocator.leastBudget)
    report.add(
      try await PathProbe.pair(
        clients[0].place, clients[1].place, isForced: options.isForced))
    let reservation = try await ledger.reserve(ledger.budget)
    let seed = UInt64.random(in: 0 ... .max)
    let conditions = run.conditions(link, seed: seed)
    do {
      let used = try await measure(clients, blocks, profile, seed: seed, &report)
      try await ledger.settle(reservation, at: used)
    } catch {
      guard run.stop.isGiven else { throw error }
      _ = try await run.keeper.keep(report, conditions, isCancelled: true)
      return run.stop.code(.done)
    }
    return run.stop.code(try await run.keeper.keep(report, conditions))
  }

  /// - Returns: how many bytes on the link that took.
  private func measure(
    _ clients: [PairClient], _ first: PairClient, _ profile: BuiltInProfile, seed: UInt64,
    _ report: inout LocateReport
  ) async throws -> Int64 {
    var generator = SplitMix64(seed: seed)
    var used: Int64 = 0
    for client in clients {
      let seed = generator.next()
      let finding = try await run.stop.run(telling: PairClient.Moment.self) { tell in
        try await client.check(profile, .up, seed: seed, tell: tell)
      } show: {
        try run.keeper.printer.tell($0, of: profile.rawValue)
      }
      used += UplinkPairSession.used(finding.bytes, slots: finding.slots.count + 2)
      report.add(finding.verdict, bytes: finding.bytes, seconds: finding.seconds)
    }
    guard let difference = report.difference else {
      report.addNothing()
      return used
    }
    let (locator, last) = (PairLocator(first, clients[1]), generator.next())
    let finding = try await run.stop.run(telling: PairLocator.Moment.self) { tell in
      try await locator.locate(difference, profile, seed: last, tell: tell)
    } show: {
      try run.keeper.printer.tell($0, of: profile.rawValue)
    }
    report.add(finding)
    return used + UplinkPairSession.used(finding.bytes, slots: LocateBlocks.flows)
  }

  // MARK: What is usual

  /// Measures what controls usually differ by.
  func measureUsual(
    _ url: String, _ profile: BuiltInProfile, token: String, _ format: OutputFormat,
    _ output: OutputBuffer
  ) async throws -> ExitCode {
    let ledger = await run.begin { "it is measured what is usual" }.ledger
    do {
      let client = try await client(
        of: url, token: token, part: ledger.budget, slots: UplinkPairSession.slots,
        least: PairClient.leastBudget)
      let reservation = try await ledger.reserve(ledger.budget)
      let usual = try await run.stop.run(telling: PairLocator.Moment.self) { tell in
        try await PairLocator.variations(with: client, profile, tell: tell)
      } show: {
        try run.keeper.printer.tell($0, of: profile.rawValue)
      }
      try await ledger.settle(
        reservation,
        at: UplinkPairSession.used(usual.bytes, slots: PairLocator.usualSlots))
      let list = JSONValue.array(usual.values.map { .real($0) })
      let line: JSONValue =
        format == .jsonl ? .object(["type": "baseline", "variations": list]) : list
      output.append(line: line.description)
      return run.stop.code(usual.values.isEmpty ? .inconclusive : .done)
    } catch is ReplayError where run.stop.isGiven {
      return run.stop.code(.done)
    }
  }

  // MARK: Parts

  private func client(
    of url: String, token: String, part: Int64, slots: Int, least: Int
  ) async throws -> PairClient {
    var client = PairClient(try await run.way.place(of: url), token: token)
    client.controlName = options.controlName
    try run.limit(&client, to: part, slots: slots, least: least, "a localization")
    return client
  }
}
