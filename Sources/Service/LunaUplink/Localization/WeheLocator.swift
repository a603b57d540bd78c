import LunaClient
package import UplinkProtocol

/// Locates a difference with two servers of Wehe's, the original's way (UPLINK.md, 9).
package struct WeheLocator: Sendable {
  /// What it is at, for who waits.
  package enum Moment: Hashable, Sendable {
    /// Two replays begin at once.
    case replays(isControl: Bool)
    /// Both servers are asked what they make of them.
    case results
    /// The first one is asked for the place.
    case place
  }

  /// The question.
  let plan: LocalizePlan
  /// Who knows pairs of servers.
  let directory: WeheClient
  /// The client of a server.
  let client: @Sendable (String) async throws(ReplayError) -> WeheClient
  /// Finds servers of M-Lab's by their sites; nil where servers are named by their addresses.
  let sites: LocateClient?
  /// The plans of the originals with the first and the second server.
  let plans: [ReplayPlan]
  /// The control.
  let control: Recording
  /// From where on what servers say means something.
  let levels: LocalizeLevels
  let rule: OriginalRule
  let settings: OriginalSettings
  let clock: any Clock<Duration>
  let tell: @Sendable (Moment) -> Void

  /// A locator.
  ///
  /// - Parameters:
  ///   - sites: nil where servers are named by their addresses.
  ///   - plans: two, of the originals.
  package init(
    _ plan: LocalizePlan, directory: WeheClient,
    client: @escaping @Sendable (String) async throws(ReplayError) -> WeheClient,
    sites: LocateClient?, plans: [ReplayPlan], control: Recording, rule: OriginalRule,
    settings: OriginalSettings, levels: LocalizeLevels = LocalizeLevels(),
    clock: any Clock<Duration> = ContinuousClock(),
    tell: @escaping @Sendable (Moment) -> Void
  ) {
    self.plan = plan
    self.directory = directory
    self.client = client
    self.sites = sites
    self.plans = plans
    self.control = control
    self.levels = levels
    self.rule = rule
    self.settings = settings
    self.clock = clock
    self.tell = tell
  }

  /// Makes it.
  ///
  /// - Throws: ``UplinkProtocol/LocalizationError``, ``UplinkProtocol/ReplayError``,
  ///   ``UplinkProtocol/LocateError``, or `CancellationError` while a server is asked.
  package func locate() async throws -> WeheLocation {
    var session = LocalizeSession(plan, isOfSites: sites != nil, levels)
    let actions = session.take(.begin)
    return try await proceed(session, actions, [])
  }

  private func proceed(
    _ session: LocalizeSession, _ actions: [LocalizeAction], _ clients: [WeheClient]
  ) async throws -> WeheLocation {
    var (session, actions, clients) = (session, actions, clients)
    var records: [[ReplayRecord]] = []
    var comparisons: [ReplayComparison] = []
    while let action = actions.first {
      switch action {
      case .ask(let query): actions = session.take(await ask(directory, query: query))
      case .open(let pair):
        guard let channels = await open(pair) else {
          actions = session.take(.notOpened)
          continue
        }
        let servers = [
          try await client(channels[0].machine.server),
          try await client(channels[1].machine.server),
        ]
        let rest = session.take(
          .opened(first: servers[0].server.text, second: servers[1].server.text))
        let held = session
        return try await channels[0].hold {
          try await channels[1].hold { try await proceed(held, rest, servers) }
        }
      case .replay(let pair, let isControl):
        if clients.isEmpty {
          clients = [try await client(pair.first), try await client(pair.second)]
        }
        tell(.replays(isControl: isControl))
        let both = await replay(clients, isControl: isControl)
        records.append(both)
        actions = []
        for record in both {
          let next = session.take(.ended(record.outcome))
          if actions.isEmpty { actions = next }
        }
      case .compare:
        comparisons = try compare(records)
        tell(.results)
        actions = session.take(try await event(comparisons, clients))
      case .post(let form):
        tell(.place)
        actions = session.take(await ask(clients[0], form: form))
      case .get(let query): actions = session.take(await ask(clients[0], query: query))
      case .wait(let seconds):
        try await clock.sleep(for: .seconds(seconds))
        actions = session.take(.timeIsOver)
      case .located(let answer):
        return WeheLocation(
          answer: answer, comparisons: comparisons, servers: clients.map(\.server.text))
      case .failed(let error): throw error
      case .broken(let error): throw error
      }
    }
    preconditionFailure("a localization without an end")
  }

  /// Opens the access to both sites of a pair; nil where one of them gives none.
  private func open(_ pair: ServerPair) async -> [AccessChannel]? {
    var channels: [AccessChannel] = []
    for site in [pair.first, pair.second] {
      guard var locate = sites else { return nil }
      locate.site = site
      guard let channel = try? await locate.locate() else { return nil }
      channels.append(channel)
    }
    return channels
  }

  private func replay(_ clients: [WeheClient], isControl: Bool) async -> [ReplayRecord] {
    let all = plans.map { plan in
      plan.replay(
        of: isControl ? control : plan.recording, isControl: isControl, isLast: isControl)
    }
    async let first = clients[0].replay(all[0])
    async let second = clients[1].replay(all[1])
    return await [first, second]
  }

  private func compare(_ records: [[ReplayRecord]]) throws(ReplayError) -> [ReplayComparison] {
    var comparisons: [ReplayComparison] = []
    for (index, plan) in plans.enumerated() {
      comparisons.append(
        try ReplayComparison(
          records[0][index].side(of: plan.recording), records[1][index].side(of: control),
          rule: rule, settings: settings))
    }
    return comparisons
  }

  /// What both servers make of their replays.
  private func event(
    _ comparisons: [ReplayComparison], _ clients: [WeheClient]
  ) async throws -> LocalizeEvent {
    async let first = result(clients[0], plans[0])
    async let second = result(clients[1], plans[1])
    for outcome in try await [first, second] {
      if case .failed(let error) = outcome { return .notCompared(error) }
    }
    return .compared(first: comparisons[0].verdict, second: comparisons[1].verdict)
  }

  private func result(_ client: WeheClient, _ plan: ReplayPlan) async throws -> AnalysisOutcome {
    do {
      return try await client.result(of: plan, clock: clock)
    } catch is HTTPError {
      return .failed(AnalysisError(.analysisGaveUp))
    }
  }

  private func ask(_ client: WeheClient, query: String) async -> LocalizeEvent {
    await ask(client, "GET", query, nil)
  }

  private func ask(_ client: WeheClient, form: String) async -> LocalizeEvent {
    await ask(client, "POST", nil, Array(form.utf8))
  }

  private func ask(
    _ client: WeheClient, _ method: String, _ query: String?, _ form: [UInt8]?
  ) async -> LocalizeEvent {
    guard let (http, url) = try? client.results() else { return .unanswered }
    let target = query.map { "\(url)?\($0)" } ?? url
    switch await WeheClient.ask(http, method, target, form) {
    case .answered(let bytes): return .answered(bytes)
    case .begin, .timeIsOver, .unanswered: return .unanswered
    }
  }
}
