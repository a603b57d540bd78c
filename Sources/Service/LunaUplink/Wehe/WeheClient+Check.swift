import LunaClient
package import UplinkProtocol

extension WeheClient {
  /// What a check is at, for who waits.
  package enum Moment: Hashable, Sendable {
    /// A replay begins, perhaps once more.
    case replay(isControl: Bool)
    /// The server is asked what it makes of both.
    case result
    /// It has come further with the server.
    case step(Step)
  }

  /// How far it has come with a server.
  package enum Step: String, Sendable {
    /// It asks whether it may make a replay.
    case asking
    /// It may.
    case allowed
    /// Another one from its address is first; it asks again.
    case queued
    /// The server has said what it makes of both.
    case received
  }

  /// Makes a test, compares its replays, and asks the server for its result.
  ///
  /// - Parameters:
  ///   - plan: that of the original.
  ///   - isOriginalFirst: what a coin says.
  ///   - tell: is called when something begins.
  /// - Throws: ``UplinkProtocol/ReplayError``, or `CancellationError` while the server is asked.
  package func check(
    _ plan: ReplayPlan, control: Recording, isOriginalFirst: Bool, rule: OriginalRule,
    settings: OriginalSettings, clock: any Clock<Duration> = ContinuousClock(),
    tell: @escaping @Sendable (Moment) -> Void
  ) async throws -> WeheTestResult {
    var client = self
    client.progress = { tell(.step($0)) }
    let (first, second) = await client.test(isOriginalFirst: isOriginalFirst, clock: clock) {
      isControl, isLast in
      tell(.replay(isControl: isControl))
      return plan.replay(
        of: isControl ? control : plan.recording, isControl: isControl, isLast: isLast)
    }
    let comparison = try ReplayComparison(
      first?.side(of: plan.recording), second?.side(of: control), rule: rule, settings: settings)
    let address = first?.ownAddress ?? second?.ownAddress
    // Of a replay that was not made the server has nothing.
    guard comparison.judgement != nil else {
      return WeheTestResult(comparison: comparison, outcome: nil, ownAddress: address)
    }
    tell(.result)
    do {
      let outcome = try await result(of: plan, clock: clock)
      if case .result = outcome { tell(.step(.received)) }
      return WeheTestResult(comparison: comparison, outcome: outcome, ownAddress: address)
    } catch is HTTPError {
      // Our own verdict stands without the library, too.
      return WeheTestResult(comparison: comparison, outcome: nil, ownAddress: address)
    }
  }
}

extension ReplayRecord {
  /// What a result tells of it.
  func side(of recording: Recording) -> ReplaySide {
    let sent = seconds > 0 ? recording.sentBytes : 0
    return ReplaySide(outcome, samples: samples, bytes: reads.count + sent, seconds: seconds)
  }
}
