/// Where a radio capture's frame holds the link-layer packet, and what the recorder knew about it.
public struct LinkLayerFrame: Hashable, Sendable {
  /// What the recorder says of a PDU.
  public enum Kind: Sendable {
    /// Nothing: the access address tells.
    case unknown
    /// An advertising PDU.
    case advertising
    /// A PDU of a connection or an isochronous stream.
    case data
  }

  /// The PDU on a secondary channel, as recorders number it.
  public enum Auxiliary: UInt8, Sendable {
    /// Follows an ADV_EXT_IND.
    case advInd = 0
    /// Goes on with the data of the one before.
    case chainInd = 1
    /// Periodic advertising.
    case syncInd = 2
    /// The answer to a scan request.
    case scanRsp = 3
  }

  /// The offset of the access address.
  public var start: Int
  /// What is known of the PDU.
  public var kind = Kind.unknown
  /// The kind of the auxiliary PDU; nil when it is none, or not known.
  public var auxiliary: Auxiliary?
  /// Whether the recorder found the checksum right; nil when it did not check.
  public var checksumIsRight: Bool?
  /// The power at the receiver, dBm; nil when not known.
  public var rssi: Int8?
  /// The PHY; `none` when not known.
  public var phy = PHY.none
  /// The channel index, 0–39: 37–39 are the primary advertising channels; nil when not known.
  public var channel: UInt8?

  /// A frame of which nothing more is known.
  public init(start: Int) { self.start = start }
}
