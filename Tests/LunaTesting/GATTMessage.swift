/// One thing that goes over a connection, or over the air to make one.
public struct GATTMessage: Hashable, Sendable {
  /// The kinds, by the words of ``GATTError/operation``.
  public enum Operation: String, Sendable {
    /// An attempt to connect.
    case connect
    /// A read, with its answer.
    case read
    /// A write, with its answer.
    case write
    /// Asking for indications.
    case subscribe
    /// Waiting for an indication.
    case indication
  }

  /// Its number on this client, counted from 1 over all connections.
  public let number: Int
  /// What it is.
  public let operation: Operation
}
