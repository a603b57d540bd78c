/// What a backend answers to a batch.
public struct UploadReply: Sendable {
  /// What became of each event, in their order.
  public let outcomes: [EventOutcome]
  /// Commands that wait for trackers of the batch.
  public let commandRequests: [CommandRequest]

  /// A reply; an event without an outcome is sent again.
  public init(outcomes: [EventOutcome], commandRequests: [CommandRequest]) {
    self.outcomes = outcomes
    self.commandRequests = commandRequests
  }
}
