/// What a client sends. A recording has either of them.
public enum RecordedPackets: Hashable, Sendable {
  /// Over TCP, in order.
  case tcp([RecordedRequest])
  /// Over UDP, in order.
  case udp([RecordedDatagram])

  /// How many there are.
  public var count: Int {
    switch self {
    case .tcp(let requests): requests.count
    case .udp(let datagrams): datagrams.count
    }
  }
}
