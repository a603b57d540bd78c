/// What happens to a replay.
public enum ReplayEvent: Hashable, Sendable {
  /// It begins.
  case begin
  /// The data port was asked for one's own address, and answered with this until it closed.
  case ownAddress([UInt8])
  /// It refused the connection.
  case ownAddressRefused
  /// The side channel is open.
  case connected
  /// It cannot be opened.
  case notConnected
  /// It cannot be opened, or not go on, for a reason that is known.
  case failed(ReplayError)
  /// This came over the side channel.
  case received([UInt8])
  /// The server closed it, or it broke off.
  case closed
  /// The time that was waited for is over.
  case timeIsOver
  /// The data has ended.
  case data(ReplayData)
  /// Somebody wants it to end.
  case cancel
}
