public import Bluetooth
public import LunaProtocol

/// The way from an owner to a backend: `LunaClient`, for `LunaOwner` and others.
public protocol OwnerBackend: Sendable {
  /// A page of events.
  func events(_ query: EventQuery) async throws(BackendError) -> EventPage

  /// Has gateways deliver one of some packages.
  ///
  /// - Parameter expiresAt: until when it is offered.
  func submit(
    _ packages: [ControlPackage], expiresAt: Timestamp
  ) async throws(BackendError) -> CommandStatus

  /// How far a command has come.
  ///
  /// - Parameter limit: how long the answer may take; nil for as long as a request may take at all.
  func status(
    of requestID: String, within limit: Duration?
  ) async throws(BackendError) -> CommandStatus

  /// The owner's commands that are open, and those of the last seven days: the open ones first, the newest
  /// before others.
  func commands() async throws(BackendError) -> [CommandStatus]

  /// Calls a command off. A gateway that has it already may still have it done; one that is over stays as it
  /// is.
  ///
  /// - Parameter limit: how long the answer may take; nil for as long as a request may take at all.
  /// - Returns: what became of it.
  func cancel(
    _ requestID: String, within limit: Duration?
  ) async throws(BackendError) -> CommandStatus
}

extension OwnerBackend {
  /// How far a command has come.
  public func status(of requestID: String) async throws(BackendError) -> CommandStatus {
    try await status(of: requestID, within: nil)
  }

  /// Calls a command off.
  @discardableResult
  public func cancel(_ requestID: String) async throws(BackendError) -> CommandStatus {
    try await cancel(requestID, within: nil)
  }
}
