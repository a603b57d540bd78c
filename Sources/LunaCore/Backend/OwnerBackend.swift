/// What a backend does for an owner: `LunaClient`, for `LunaOwner`. A call ends in bounded time.
public protocol OwnerBackend: Sendable {
  /// A page of events (`POST /v1/events/query`).
  func events(_ query: EventQuery) async throws(BackendError) -> EventPage

  /// Leaves a command (`POST /v1/commands`).
  func submit(_ command: CommandSubmission) async throws(BackendError) -> CommandState

  /// How far a command is (`GET /v1/commands/{id}`).
  func command(_ requestId: String) async throws(BackendError) -> CommandState

  /// Takes a command back (`DELETE /v1/commands/{id}`).
  func cancelCommand(_ requestId: String) async throws(BackendError)
}
