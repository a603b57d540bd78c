/// A confirmation that waits to be told to the backend.
public struct QueuedConfirmation: Hashable, Sendable, Identifiable {
  /// Its number in the queue, never given twice.
  public let id: Int64
  /// What is to be told, as it was queued.
  public let confirmation: CommandConfirmation

  /// A confirmation with its place.
  public init(id: Int64, confirmation: CommandConfirmation) {
    self.id = id
    self.confirmation = confirmation
  }
}
