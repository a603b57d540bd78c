import EventLoop
import LunaCore
import LunaStore
import LunaUplink
import UplinkProtocol

/// What `luna uplink locate` does with servers of Wehe's, apart from what it shows.
struct UplinkWeheLocate: Sendable {
  /// What it is at.
  enum Moment: Sendable {
    /// A part of the test with one server begins.
    case single(WeheClient.Moment)
    /// Something with two servers begins.
    case both(WeheLocator.Moment)
  }

  let server: UplinkServer
  let way: UplinkServerOptions
  let replay: UplinkReplay
  let replayOptions: UplinkReplayOptions
  let levels: LocalizeLevels
  let state: StateDirectory
  /// How many bytes a replay may receive; nil where it is known what it will.
  let limit: Int?
  /// The kind of link, where the server is told.
  let link: String?
  let tell: @Sendable (Moment) -> Void

  /// Makes it: a test with one server, then both replays with two servers at once.
  ///
  /// - Returns: what came of it, and how many bytes on the link it took.
  func locate(with client: WeheClient) async throws -> (LocateReport, Int64) {
    let client = limited(client)
    var report = LocateReport(
      profile: replay.original.name.text, direction: "down", server: server.text)
    var order = PairOrder(seed: .random(in: 0 ... .max))
    let alone = try plan(try await count(1))
    let tell = tell
    let single = try await client.check(
      alone, control: replay.control, isOriginalFirst: order.nextIsOriginalFirst(),
      rule: replayOptions.rule, settings: replayOptions.settings, tell: { tell(.single($0)) })
    var used = replay.used(single.comparison)
    guard single.comparison.verdict.needsConfirmation else {
      add(single.comparison, to: &report)
      report.addNothing()
      return (report, used)
    }
    let identity = try await count(2)
    let question = LocalizePlan(
      user: alone.user, single: (client.server.text, alone.history),
      history: Int(identity.history), recording: replay.original)
    let locator = WeheLocator(
      question, directory: client,
      client: { host async throws(ReplayError) in limited(try await way.client(of: host)) },
      sites: try sites(), plans: [try plan(identity, back: 1), try plan(identity)],
      control: replay.control, rule: replayOptions.rule, settings: replayOptions.settings,
      levels: levels, tell: { tell(.both($0)) })
    let location = try await locator.locate()
    for comparison in location.comparisons {
      used += replay.used(comparison)
      add(comparison, to: &report)
    }
    report.add(location.answer)
    return (report, used)
  }

  private func add(_ comparison: ReplayComparison, to report: inout LocateReport) {
    let (original, control) = (comparison.original, comparison.control)
    report.add(
      comparison.verdict, bytes: original.bytes + control.bytes,
      seconds: original.seconds + control.seconds)
  }

  /// Sites are asked for where servers are M-Lab's.
  private func sites() throws(CommandFailure) -> LocateClient? {
    guard case .mlab = server else { return nil }
    return try way.locateClient()
  }

  /// Its number is on the disk before a server hears of a test.
  private func count(_ tests: Int64) async throws -> UplinkIdentity {
    let (state, history) = (state, replayOptions.history)
    return try await Blocking.run { () throws(DeviceStoreError) -> UplinkIdentity in
      try UplinkStore(in: state).countTests(tests, from: history)
    }
  }

  private func plan(_ identity: UplinkIdentity, back: Int = 0) throws(ReplayError) -> ReplayPlan {
    let plan = ReplayPlan(
      user: replayOptions.user ?? identity.user, recording: replay.original, isControl: false,
      extra: replayOptions.extra, history: Int(identity.history) - back, isLast: false,
      isPortTest: replay.isPortTest, link: link)
    guard let plan else { throw ReplayError(.refused, "the server takes no such user") }
    return plan
  }

  private func limited(_ client: WeheClient) -> WeheClient {
    var client = client
    client.isTimed = replayOptions.isTimed
    client.byteLimit = limit
    client.nominalSeconds = replayOptions.buckets == .nominal ? replay.seconds : nil
    return client
  }
}
