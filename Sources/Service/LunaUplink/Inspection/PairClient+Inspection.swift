package import UplinkProtocol

extension PairClient {
  /// With less data no inspection can be made, and for how many slots there is some.
  package static let inspection = (
    leastBudget: FieldRun.slots * PairRun.least, slots: FieldRun.slots
  )

  /// Finds out which fields of an upload a network recognises. A task that is cancelled ends it in order.
  ///
  /// - Parameters:
  ///   - otherPort: where the same server listens as well; nil for nowhere, and then the port is not to be probed.
  ///   - tally: is told what the link carries.
  ///   - tell: is called when something begins.
  /// - Throws: ``UplinkProtocol/ReplayError``.
  package func inspect(
    _ inspection: Inspection, otherPort: UInt16?, tally: SlotTally = SlotTally(),
    tell: @escaping @Sendable (Moment) -> Void
  ) async throws(ReplayError) -> InspectionOutcome {
    let run = FieldRun(client: self, otherPort: otherPort, tally: tally, tell: tell)
    return try await SocketWait.run { waiting throws(ReplayError) in
      try run.run(inspection, waiting)
    }
  }
}
