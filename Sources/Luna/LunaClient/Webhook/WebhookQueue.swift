/// What is still to be posted to a webhook, bounded whatever its server does. A value: it takes what
/// happens and says what to do.
///
/// One after the other goes out, in their order. One that fails is tried a few times more, after longer
/// and longer pauses, or after the pause that the server asks for.
package struct WebhookQueue: Sendable {
  /// What is to be done.
  package enum Step: Equatable, Sendable {
    /// Post this, and tell what came of it.
    case post([UInt8])
    /// Nothing for so long.
    case wait(Duration)
    /// Nothing until something happens.
    case rest
  }

  /// How many wait.
  package static let limit = 64
  /// After which pauses one is tried again.
  static let pauses: [Duration] = [.seconds(1), .seconds(4), .seconds(16)]
  /// The longest pause, whatever a server asks for.
  static let longestPause: Duration = .seconds(60)

  private var waiting: [[UInt8]] = []
  private var attempts = 0
  private var isUnderWay = false
  private var due: Duration = .zero
  /// How many have arrived.
  package private(set) var delivered = 0
  /// How many have not, and will not.
  package private(set) var lost = 0

  package init() {}

  /// Whether nothing waits.
  var isEmpty: Bool { waiting.isEmpty }

  /// Takes what happened.
  ///
  /// - Returns: whether there was room for it; otherwise the oldest is lost for it.
  package mutating func add(_ body: [UInt8]) -> Bool {
    waiting.append(body)
    guard waiting.count > WebhookQueue.limit else { return true }
    if isUnderWay {
      waiting.remove(at: 1)
    } else {
      waiting.removeFirst()
      attempts = 0
    }
    lost += 1
    return false
  }

  /// What to do now; a body that it gives is under way from here on.
  package mutating func next(at now: Duration) -> Step {
    guard let first = waiting.first, !isUnderWay else { return .rest }
    guard now >= due else { return .wait(due - now) }
    isUnderWay = true
    return .post(first)
  }

  /// What was under way has come to something.
  package mutating func ended(_ outcome: DeliveryOutcome, at now: Duration) {
    guard isUnderWay else { return }
    isUnderWay = false
    switch outcome {
    case .delivered:
      delivered += 1
      leaveFirst()
    case .refused, .gone:
      lost += 1
      leaveFirst()
    case .failed(_, let asked):
      let pause = WebhookQueue.pauses[min(attempts, WebhookQueue.pauses.count - 1)]
      // The next one does not hurry either where this one is given up.
      due = now + min(max(pause, asked ?? .zero), WebhookQueue.longestPause)
      attempts += 1
      guard attempts > WebhookQueue.pauses.count else { return }
      lost += 1
      leaveFirst()
    }
  }

  /// Gives up what waits.
  package mutating func giveUp() {
    lost += waiting.count
    waiting = []
    // Whatever comes of it, it is counted.
    isUnderWay = false
  }

  private mutating func leaveFirst() {
    waiting.removeFirst()
    attempts = 0
  }
}
