/// The packet of a capture record.
public struct CapturePacket: Sendable {
  /// What a packet is.
  public enum Content: Sendable {
    /// An HCI event, from its code on.
    case event
    /// A link-layer packet, from its access address on.
    case linkLayer
    /// A link-layer packet behind the radio header of link type 256.
    case linkLayerWithRadio
    /// A packet of the nRF Sniffer, from its board number on.
    case nordicSniffer
    /// Another HCI packet, or a note of the recorder.
    case other
    /// A packet of a link type that Luna does not read.
    case unsupported
  }

  /// What the bytes of ``range`` are, and so how they are read.
  public let content: Content
  /// N of hciN; nil when the file does not say.
  public let adapter: UInt16?
  /// Where it lies in the bytes that the reader was given.
  public let range: Range<Int>
}
