import EventLoop
import LunaCore
package import LunaStore
package import UplinkProtocol

/// A localization with servers of Wehe's from its first test to its result (UPLINK.md, 9).
package struct WeheLocateRun: Sendable {
  /// What it is at.
  package enum Moment: Sendable {
    /// A part of the test with one server begins.
    case single(WeheClient.Moment)
    /// Something with two servers begins.
    case both(WeheLocator.Moment)
  }

  /// How the result names the server.
  let server: String
  /// The client of a server.
  let client: @Sendable (String) async throws(ReplayError) -> WeheClient
  /// Finds servers of M-Lab's by their sites; nil where servers are named by their addresses.
  let sites: LocateClient?
  let replay: UplinkReplay
  let setup: ReplaySetup
  let levels: LocalizeLevels
  let state: StateDirectory
  /// How many bytes a replay may receive; nil where it is known what it will.
  let limit: Int?
  /// The kind of link, where the server is told.
  let link: String?
  let tell: @Sendable (Moment) -> Void

  /// A localization.
  ///
  /// - Parameters:
  ///   - server: how the result names the server.
  ///   - sites: nil where servers are named by their addresses.
  ///   - levels: from where on what servers say means something.
  ///   - state: where tests are counted.
  ///   - limit: how many bytes a replay may receive; nil where it is known what it will.
  ///   - link: the kind of link, where the server is to know; nil otherwise.
  package init(
    server: String, client: @escaping @Sendable (String) async throws(ReplayError) -> WeheClient,
    sites: LocateClient?, replay: UplinkReplay, setup: ReplaySetup, levels: LocalizeLevels,
    state: StateDirectory, limit: Int?, link: String?, tell: @escaping @Sendable (Moment) -> Void
  ) {
    self.server = server
    self.client = client
    self.sites = sites
    self.replay = replay
    self.setup = setup
    self.levels = levels
    self.state = state
    self.limit = limit
    self.link = link
    self.tell = tell
  }

  /// Makes it: a test with one server, then both replays with two servers at once.
  ///
  /// - Returns: what came of it, and how many bytes on the link it took.
  package func locate(with single: WeheClient) async throws -> (LocateReport, Int64) {
    let directory = limited(single)
    var report = LocateReport(
      profile: replay.original.name.text, direction: "down", server: server)
    var order = PairOrder(seed: .random(in: 0 ... .max))
    let alone = try plan(try await count(1))
    let tell = tell
    let client = client
    let test = try await directory.check(
      alone, control: replay.control, isOriginalFirst: order.nextIsOriginalFirst(),
      rule: setup.rule, settings: setup.settings, tell: { tell(.single($0)) })
    var used = replay.used(test.comparison)
    guard test.comparison.verdict.needsConfirmation else {
      add(test.comparison, to: &report)
      report.addNothing()
      return (report, used)
    }
    let identity = try await count(2)
    let question = LocalizePlan(
      user: alone.user, single: (directory.server.text, alone.history),
      history: Int(identity.history), recording: replay.original)
    let locator = WeheLocator(
      question, directory: directory,
      client: { host async throws(ReplayError) in limited(try await client(host)) },
      sites: sites, plans: [try plan(identity, back: 1), try plan(identity)],
      control: replay.control, rule: setup.rule, settings: setup.settings, levels: levels,
      tell: { tell(.both($0)) })
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

  /// Its number is on the disk before a server hears of a test.
  private func count(_ tests: Int64) async throws -> UplinkIdentity {
    let (state, history) = (state, setup.history)
    return try await Blocking.run { () throws(DeviceStoreError) -> UplinkIdentity in
      try UplinkStore(in: state).countTests(tests, from: history)
    }
  }

  private func plan(_ identity: UplinkIdentity, back: Int = 0) throws(ReplayError) -> ReplayPlan {
    let plan = ReplayPlan(
      user: setup.user ?? identity.user, recording: replay.original, isControl: false,
      extra: setup.extra, history: Int(identity.history) - back, isLast: false,
      isPortTest: replay.isPortTest, link: link)
    guard let plan else { throw ReplayError(.refused, "the server takes no such user") }
    return plan
  }

  private func limited(_ client: WeheClient) -> WeheClient {
    var client = client
    client.isTimed = setup.isTimed
    client.byteLimit = limit
    client.nominalSeconds = setup.isNominal ? replay.seconds : nil
    return client
  }
}
