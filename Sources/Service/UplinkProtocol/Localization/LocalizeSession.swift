import LunaJSON

/// A localization by servers of Wehe's (UPLINK.md, 9): events go in, actions come out. It waits for nothing and opens
/// nothing itself.
package struct LocalizeSession: Sendable {
  private enum State {
    case idle, pairs, sites, originals, controls, comparison, localize, answer, closed
  }

  /// How often a server is asked for something.
  private static let attempts = 3
  /// What is waited between two attempts, s.
  private static let pause = 2

  private let plan: LocalizePlan
  private let isOfSites: Bool
  private let levels: LocalizeLevels
  private var state = State.idle
  private var pairs: ArraySlice<ServerPair> = []
  private var servers: ServerPair?
  private var replays = 0
  private var attempt = 1

  /// A localization.
  ///
  /// - Parameter isOfSites: whether servers of M-Lab's are used, which are found by their sites.
  package init(
    _ plan: LocalizePlan, isOfSites: Bool, _ levels: LocalizeLevels = LocalizeLevels()
  ) {
    self.plan = plan
    self.isOfSites = isOfSites
    self.levels = levels
  }

  /// Takes an event.
  package mutating func take(_ event: LocalizeEvent) -> [LocalizeAction] {
    do throws(LocalizationError) {
      return try actions(for: event)
    } catch {
      state = .closed
      return [.failed(error)]
    }
  }

  private mutating func actions(
    for event: LocalizeEvent
  ) throws(LocalizationError) -> [LocalizeAction] {
    switch (state, event) {
    case (.idle, .begin):
      state = .pairs
      return [.ask(query: "command=getServers")]
    case (.pairs, .unanswered): throw LocalizationError(.pairRequestFailed)
    case (.pairs, .answered(let bytes)):
      pairs = try ServerPair.pairs(in: bytes, isOfSites: isOfSites)[...]
      return try nextPair()
    case (.sites, .opened(let first, let second)):
      return begin(with: ServerPair(first, second))
    case (.sites, .notOpened):
      pairs = pairs.dropFirst()
      return try nextPair()
    case (.originals, .ended(let outcome)), (.controls, .ended(let outcome)),
      (.comparison, .ended(let outcome)):
      return try end(outcome)
    case (.comparison, .compared(let first, let second)): return try compare(first, second)
    case (.comparison, .notCompared(let error)): throw LocalizationError(error)
    case (.localize, .timeIsOver): return try localize()
    case (.localize, .answered(let bytes)):
      guard LocalizeSession.object(bytes)?["success"] == .bool(true) else {
        return try again(.localizeGaveUp)
      }
      state = .answer
      attempt = 1
      return [.get(query: plan.query)]
    case (.localize, .unanswered): return try again(.localizeGaveUp)
    case (.answer, .timeIsOver): return [.get(query: plan.query)]
    case (.answer, .answered(let bytes)): return try take(LocalizeSession.object(bytes))
    case (.answer, .unanswered): return try again(.answerGaveUp)
    default: return []
    }
  }

  private mutating func nextPair() throws(LocalizationError) -> [LocalizeAction] {
    guard let pair = pairs.first else { throw LocalizationError(.siteUnreachable) }
    guard isOfSites else { return begin(with: pair) }
    state = .sites
    return [.open(pair)]
  }

  private mutating func begin(with servers: ServerPair) -> [LocalizeAction] {
    self.servers = servers
    state = .originals
    return [.replay(servers, isControl: false)]
  }

  private mutating func end(_ outcome: ReplayOutcome) throws(LocalizationError) -> [LocalizeAction]
  {
    if case .failed(let error) = outcome {
      guard let named = LocalizationError(error) else {
        state = .closed
        return [.broken(error)]
      }
      throw named
    }
    replays += 1
    switch (replays, servers) {
    case (1, _), (3, _): return []
    case (2, let servers?):
      state = .controls
      return [.replay(servers, isControl: true)]
    case (4, _):
      state = .comparison
      return [.compare]
    default: throw LocalizationError(.replayCount)
    }
  }

  /// Only where both servers find a difference in the same direction, there is something to be located.
  private mutating func compare(
    _ first: FairnessVerdict, _ second: FairnessVerdict
  ) throws(LocalizationError) -> [LocalizeAction] {
    guard first.isAlong(with: second) else {
      state = .closed
      return [.located(.alike)]
    }
    state = .localize
    return try localize()
  }

  private func localize() throws(LocalizationError) -> [LocalizeAction] {
    guard let servers else { throw LocalizationError(.noPair) }
    return [.post(form: try plan.form(servers))]
  }

  private mutating func take(_ answer: JSONObject?) throws(LocalizationError) -> [LocalizeAction] {
    guard let answer, !answer.members.isEmpty else { return try again(.answerEmpty) }
    if answer["success"] == .bool(true) {
      guard let response = answer["response"], response != .null else {
        return try again(.answerNotReady)
      }
      state = .closed
      return [.located(LocalizeAnswer(response, levels))]
    }
    return try again(answer["error"] == nil ? .answerMissing : .answerError)
  }

  private mutating func again(
    _ kind: LocalizationError.Kind
  ) throws(LocalizationError) -> [LocalizeAction] {
    guard attempt < LocalizeSession.attempts else { throw LocalizationError(kind) }
    attempt += 1
    return [.wait(LocalizeSession.pause)]
  }

  /// An answer as an object; nil where it is none, or too long.
  static func object(_ bytes: [UInt8]) -> JSONObject? {
    guard bytes.count <= AnalysisSession.answerSize else { return nil }
    var rules = JSONRules.strict(elements: Samples.limit)
    rules.depth = RecordingLimits.depth
    guard let json = try? JSONReader.read(bytes, rules: rules), case .object(let object) = json
    else { return nil }
    return object
  }
}
