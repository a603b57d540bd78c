import Diagnosis
import LunaCore
import LunaDocuments
import LunaJSON
import LunaStore
import LunaUplink
import UplinkProtocol

/// A run of `luna uplink locate` with two servers of ours.
struct UplinkLocateSession {
  /// A pair of servers whose paths part.
  private struct Pair: Sendable {
    let urls: [String]
    /// One for each server, and one for the blocks.
    let clients: [PairClient]
    let blocks: PairClient
    let path: PathPair
  }

  let run: UplinkRun
  let options: UplinkLocateOptions

  /// Makes checks with both servers of a pair, and looks where what they find is made.
  ///
  /// - Parameters:
  ///   - pairs: of which the first that can be used is taken.
  ///   - tokens: one for each server of it.
  func locate(
    _ pairs: [[String]], _ profile: BuiltInProfile, tokens: [String]
  ) async throws -> ExitCode {
    let (link, ledger) = await run.begin { "a localization with two servers of Luna's runs" }
    // A third for each check, and one for the blocks.
    let part = ledger.budget / 3
    let notes = run.keeper.printer.notes
    let pair = try await UplinkLocateSession.first(of: pairs) { urls in
      try await prepare(urls, tokens: tokens, part: part)
    } refused: { urls, error in
      notes.note("luna: \(urls.joined(separator: ",")) is no pair to be used: \(error.reason)")
    }
    var report = LocateReport(
      profile: profile.rawValue, direction: SlotDirection.up.rawValue,
      server: pair.urls.joined(separator: " "))
    report.add(pair.path)
    let reservation = try await ledger.reserve(ledger.budget)
    let seed = UInt64.random(in: 0 ... .max)
    let conditions = UplinkConditions(FairnessThresholds.place, seed: seed, link: link)
    let tally = SlotTally()
    do {
      try await measure(pair, profile, seed: seed, &report, tally)
      try await ledger.settle(reservation, at: tally.used)
    } catch {
      // What did not go is there for another one.
      try await ledger.settle(reservation, at: tally.used)
      guard run.stop.isGiven else { throw error }
      _ = try await run.keeper.keep(report, conditions, isCancelled: true)
      return run.stop.code(.done)
    }
    return run.stop.code(try await run.keeper.keep(report, conditions))
  }

  /// The first pair that can be used, as it was prepared.
  ///
  /// - Parameter refused: is told of those before it.
  /// - Throws: why the first one cannot be used, where none can, or what concerns all of them.
  static func first<Prepared>(
    of pairs: [[String]], prepare: ([String]) async throws -> Prepared,
    refused: ([String], any Diagnosed) -> Void
  ) async throws -> Prepared {
    var failure: (any Error)?
    for urls in pairs {
      do {
        return try await prepare(urls)
      } catch let error as any Diagnosed where error is LocalizationError || error is ReplayError {
        if failure == nil { failure = error }
        // Of one pair alone it is the error.
        if pairs.count > 1 { refused(urls, error) }
      }
    }
    throw failure ?? LocalizationError(.noPair)
  }

  /// Looks whether the paths to two servers part.
  private func prepare(_ urls: [String], tokens: [String], part: Int64) async throws -> Pair {
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
    let path = try await PathProbe.pair(
      clients[0].place, clients[1].place, isForced: options.isForced)
    return Pair(urls: urls, clients: clients, blocks: blocks, path: path)
  }

  private func measure(
    _ pair: Pair, _ profile: BuiltInProfile, seed: UInt64, _ report: inout LocateReport,
    _ tally: SlotTally
  ) async throws {
    var generator = SplitMix64(seed: seed)
    for client in pair.clients {
      let seed = generator.next()
      let finding = try await run.stop.run(telling: PairClient.Moment.self) { tell in
        try await client.check(profile, .up, seed: seed, tally: tally, tell: tell)
      } show: { moment in
        try run.keeper.printer.tell(moment, of: profile.rawValue)
      }
      report.add(finding.verdict, bytes: finding.bytes, seconds: finding.seconds)
    }
    guard let difference = report.difference else {
      report.addNothing()
      return
    }
    let (locator, last) = (PairLocator(pair.blocks, pair.clients[1]), generator.next())
    let finding = try await run.stop.run(telling: PairLocator.Moment.self) { tell in
      try await locator.locate(difference, profile, seed: last, tally: tally, tell: tell)
    } show: {
      try run.keeper.printer.tell($0, of: profile.rawValue)
    }
    report.add(finding)
  }

  /// Measures what controls usually differ by.
  func measureUsual(
    _ url: String, _ profile: BuiltInProfile, token: String, _ format: OutputFormat,
    _ output: OutputBuffer
  ) async throws -> ExitCode {
    let ledger = await run.begin { "it is measured what is usual" }.ledger
    let tally = SlotTally()
    do {
      let client = try await client(
        of: url, token: token, part: ledger.budget, slots: UplinkPairSession.slots,
        least: PairClient.leastBudget)
      let reservation = try await ledger.reserve(ledger.budget)
      let usual: (values: [Double], bytes: Int)
      do {
        usual = try await run.stop.run(telling: PairLocator.Moment.self) { tell in
          try await PairLocator.variations(with: client, profile, tally: tally, tell: tell)
        } show: {
          try run.keeper.printer.tell($0, of: profile.rawValue)
        }
      } catch {
        try await ledger.settle(reservation, at: tally.used)
        throw error
      }
      try await ledger.settle(reservation, at: tally.used)
      let list = JSONValue.array(usual.values.map { .real($0) })
      let line: JSONValue =
        format == .jsonl ? .object(["type": "baseline", "variations": list]) : list
      output.append(line: line.description)
      return run.stop.code(usual.values.isEmpty ? .inconclusive : .done)
    } catch is ReplayError where run.stop.isGiven {
      return run.stop.code(.done)
    }
  }

  private func client(
    of url: String, token: String, part: Int64, slots: Int, least: Int
  ) async throws -> PairClient {
    var client = PairClient(try await run.way.place(of: url), token: token)
    client.controlName = options.controlName
    try run.limit(&client, to: part, slots: slots, least: least, "a localization")
    return client
  }
}
