/// What carries the data of a replay.
public enum TransferFlow: Hashable, Sendable {
  /// A connection over TCP, opened before the data begins.
  case connection(to: RecordedEndpoint)
  /// A socket of UDP in the place of a client's port, which sends to whomever the datagrams name.
  case port(UInt16)
}
