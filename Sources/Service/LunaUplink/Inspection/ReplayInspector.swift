package import UplinkProtocol

/// Finds out which bytes of a recording a network recognises, by replays with a server that takes any bytes of the
/// right length (UPLINK.md, 10).
package struct ReplayInspector: Sendable {
  private let client: WeheClient
  private let plan: ReplayPlan
  private let control: Recording
  private let bytes: InspectedBytes
  /// What a replay takes on the link, bytes.
  private let volume: Int64

  /// An inspector.
  ///
  /// - Parameters:
  ///   - plan: that of the original.
  ///   - volume: what a replay takes on the link at most, bytes.
  package init(
    _ client: WeheClient, _ plan: ReplayPlan, control: Recording, _ bytes: InspectedBytes,
    volume: Int64
  ) {
    self.client = client
    self.plan = plan
    self.control = control
    self.bytes = bytes
    self.volume = volume
  }

  /// Makes replays until everything is known, or no more data may be used. A task that is cancelled ends it in order.
  ///
  /// - Parameters:
  ///   - budget: how many bytes on the link there may be.
  ///   - keep: is called with all answers when there is another one.
  ///   - tell: is called when something begins.
  /// - Returns: what came of it, also where a failure ended it.
  /// - Throws: what is thrown by `keep`.
  package func inspect(
    _ inspection: Inspection, budget: Int64, keep: @Sendable ([Bool]) async throws -> Void,
    tell: @Sendable (PairClient.Moment) -> Void
  ) async throws -> InspectionOutcome {
    var outcome = InspectionOutcome(inspection)
    while let subject = outcome.inspection.next {
      guard outcome.used + volume <= budget else {
        outcome.inspection.endForBudget()
        break
      }
      let kind: SlotKind = subject == .control ? .control : .original
      tell(.slot(kind, done: outcome.inspection.probes, of: MatchSearch.most))
      let known = outcome.inspection.answers.count
      do throws(ReplayError) {
        let (record, used) = try await replay(subject)
        outcome.take(record, used: used)
      } catch {
        // How much went of it nobody has counted; where its data did not begin, it is what was said.
        outcome.end(
          error,
          used: error.kind.isBeforeData ? min(volume, Int64(ReplayVolume.conversation)) : volume)
        return outcome
      }
      if outcome.inspection.answers.count > known { try await keep(outcome.inspection.answers) }
    }
    return outcome
  }

  /// Makes a replay.
  ///
  /// - Returns: what came of it, and how many bytes on the link it took.
  func replay(
    _ subject: Inspection.Subject
  ) async throws(ReplayError) -> (record: SlotRecord, used: Int64) {
    let recording =
      switch subject {
      case .control: control
      case .probe(.bytes(let ranges)): bytes.inverted(ranges)
      case .original, .probe: bytes.recording
      }
    let kind: SlotKind = subject == .control ? .control : .original
    let replay = await client.replay(
      plan.replay(of: recording, isControl: kind == .control, isLast: true))
    let carried = replay.reads.count + recording.sentBytes
    var data = carried
    // How fast a client sends over UDP tells nothing.
    if case .udp = recording.packets { data = replay.reads.count }
    let outcome: SlotOutcome
    switch replay.outcome {
    case .finished:
      let seconds = max(replay.seconds, SlotRecord.least)
      outcome = data > 0 ? .measured(Double(data) / seconds) : .failed
    case .failed(let error):
      // What a network does to a recording that it does not like; all else is no answer.
      guard error.kind == .lost || error.kind == .blocked else { throw error }
      outcome = .failed
    }
    let record = SlotRecord(
      kind, outcome, bytes: data, seconds: replay.seconds, fastest: nil, carried: carried)
    return (record, ReplayVolume.bytes(carried, of: recording))
  }
}
