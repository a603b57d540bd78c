/// How it stands with a broker.
public enum MQTTState: Hashable, Sendable {
  /// It is being connected to.
  case connecting
  /// It takes messages.
  case connected
  /// It does not; another attempt follows after a while.
  case disconnected(MQTTError, retryIn: Duration)
}
