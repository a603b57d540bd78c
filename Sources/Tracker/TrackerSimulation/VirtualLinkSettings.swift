/// What connections to the trackers of a virtual room are like.
public struct VirtualLinkSettings: Hashable, Sendable {
  /// The largest ATT PDU, 23 to 517 octets.
  public var mtu: Int
  /// How long a PDU and its answer take.
  public var latency: Duration

  /// A connection; by default an interval of 30 ms and a PDU that holds everything of the protocol.
  public init(mtu: Int = 247, latency: Duration = .milliseconds(30)) {
    self.mtu = min(max(mtu, 23), 517)
    self.latency = latency
  }
}
