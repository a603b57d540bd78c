public import Bluetooth

/// How far a command has come.
public enum BuzzerProgress: Hashable, Sendable {
  /// Waiting for the tracker, or for it to accept connections.
  case waiting
  /// Connecting; how many times by now.
  case connecting(GATTPeer, attempt: Int)
  /// Connected, and the services are known.
  case connected
  /// The command is sent.
  case sent
  /// Something failed, and is tried again.
  case retrying(String)
  /// Something that only who looks into it wants to know.
  case detail(String)
}
