/// What a client has found out about a peer.
public struct ATTAttributes: Hashable, Sendable {
  /// The largest PDU that both sides take.
  public var mtu = ATTPDU.defaultMTU
  /// What the peer offers, in the order of the handles.
  public var characteristics: [GATTCharacteristic] = []
  /// The last handle that belongs to a characteristic, by the handle of its value.
  var ends: [UInt16: UInt16] = [:]
}
