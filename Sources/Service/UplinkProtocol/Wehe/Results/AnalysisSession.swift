import LunaJSON

/// The question for what a server makes of a test (UPLINK.md, 5.5): events go in, actions come out.
///
/// A server gives a result once, and no answer at all to who asks again: after a question that came to nothing
/// there is no other.
public struct AnalysisSession: Sendable {
  private enum State {
    case idle, beforeAnalysis, analysis, beforeResult, result, closed
  }

  /// Where the server is asked.
  public static let path = "/Results"
  /// How long an answer may take, s.
  public static let answerLimit = 8
  /// How long an answer may be, bytes.
  public static let answerSize = 256 << 10

  /// How often the server is asked to compare, and how many seconds more are waited before each time.
  private static let analyses = (count: 5, pause: 3)
  /// How often it is asked for the result; a second more is waited after each time.
  private static let results = 20
  /// How long it compares at least, s.
  private static let pause = 2

  private let user: String
  private let history: Int
  private var state = State.idle
  private var attempt = 1

  /// The question for the result of a plan's test.
  public init(_ plan: ReplayPlan) {
    user = plan.user
    history = plan.history
  }

  /// Takes an event.
  public mutating func take(_ event: AnalysisEvent) -> [AnalysisAction] {
    switch (state, event) {
    case (.idle, .begin):
      state = .beforeAnalysis
      return [.wait(AnalysisSession.analyses.pause)]
    case (.beforeAnalysis, .timeIsOver):
      state = .analysis
      return [.post(form: "command=analyze&\(test)")]
    case (.analysis, .answered(let bytes)): return analysis(AnalysisSession.object(bytes))
    case (.analysis, .unanswered): return analyseAgain()
    case (.beforeResult, .timeIsOver):
      state = .result
      return [.get(query: "command=singleResult&\(test)")]
    case (.result, .answered(let bytes)): return result(AnalysisSession.object(bytes))
    case (.result, .unanswered):
      return fail(.resultGaveUp, because: "it was asked, and did not answer")
    default: return []
    }
  }

  /// The test that is meant; its user is of characters that stand for themselves, but for `@`, which the
  /// server's own clients send as it is too.
  private var test: String { "userID=\(user)&historyCount=\(history)&testID=1" }

  private mutating func analysis(_ answer: JSONObject?) -> [AnalysisAction] {
    guard let answer else { return analyseAgain() }
    if let refusal = refusal(answer) { return refusal }
    guard answer["success"] == .bool(true) else { return analyseAgain() }
    state = .beforeResult
    attempt = 1
    return [.wait(AnalysisSession.pause)]
  }

  private mutating func analyseAgain() -> [AnalysisAction] {
    attempt += 1
    guard attempt <= AnalysisSession.analyses.count else { return fail(.analysisGaveUp) }
    state = .beforeAnalysis
    return [.wait(AnalysisSession.analyses.pause * attempt)]
  }

  private mutating func result(_ answer: JSONObject?) -> [AnalysisAction] {
    guard let answer else { return fail(.malformed, because: "it is no JSON object") }
    if let refusal = refusal(answer) { return refusal }
    if answer["success"] == .bool(false) {
      attempt += 1
      guard attempt <= AnalysisSession.results else {
        return fail(.resultGaveUp, because: "it has none yet")
      }
      state = .beforeResult
      return [.wait(attempt - 1)]
    }
    do throws(FormatError) {
      guard let response = answer["response"] else {
        throw FormatError("response", "is missing")
      }
      let result = try ServerResult(response, user: user, history: history)
      return finish(.result(result))
    } catch {
      return fail(.malformed, because: "\(error)")
    }
  }

  /// What follows where the server says that something is missing.
  private mutating func refusal(_ answer: JSONObject) -> [AnalysisAction]? {
    guard answer["success"] == .bool(false), let missing = answer["missing"] else { return nil }
    return fail(.analysisRefused, because: "it misses \(missing.description.prefix(100))")
  }

  private mutating func fail(
    _ kind: AnalysisError.Kind, because reason: String? = nil
  ) -> [AnalysisAction] {
    finish(.failed(AnalysisError(kind, because: reason)))
  }

  private mutating func finish(_ outcome: AnalysisOutcome) -> [AnalysisAction] {
    state = .closed
    return [.finish(outcome)]
  }

  private static func object(_ bytes: [UInt8]) -> JSONObject? {
    guard bytes.count <= answerSize else { return nil }
    var rules = JSONRules.strict(elements: Samples.limit)
    rules.depth = RecordingLimits.depth
    guard let json = try? JSONReader.read(bytes, rules: rules), case .object(let object) = json
    else { return nil }
    return object
  }
}
