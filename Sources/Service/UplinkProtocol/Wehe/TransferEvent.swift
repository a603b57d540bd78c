/// What happens to the data of a replay. Flows have the numbers of ``ReplayTransfer/flows``.
public enum TransferEvent: Hashable, Sendable {
  /// All flows are open.
  case begin
  /// What was to be sent has gone.
  case sent(on: Int)
  /// Bytes came.
  case received(ArraySlice<UInt8>, on: Int)
  /// The server has closed a connection.
  case closed(Int)
  /// A connection broke off.
  case broken(Int)
  /// The server says that it has sent everything over UDP.
  case serverIsDone
  /// The deadline has come.
  case timeIsOver
}
