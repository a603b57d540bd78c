/// What is to be done for a replay.
public enum ReplayAction: Hashable, Sendable {
  /// Ask the data port for one's own address: the request is sent, and what comes until it closes is
  /// the event. Connecting may take 3 s, the answer 5.
  case askOwnAddress([UInt8])
  /// Open the side channel; that may take 60 s.
  case connect
  /// Send this over the side channel.
  case send([UInt8])
  /// Wait so many seconds, in the place of what was waited for before; then time is over.
  case wait(Int)
  /// Send and receive the data, until it ends or after so many seconds.
  case transfer(ReplayMap, seconds: Int)
  /// The server says something of its data.
  case notice(ReplayNotice)
  /// End the data of UDP: the server has sent everything.
  case endTransfer
  /// Close everything, and wait for nothing: the replay has ended.
  case finish(ReplayOutcome)
}
