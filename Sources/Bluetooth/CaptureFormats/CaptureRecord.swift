/// One record of a capture file: where it is, when it was recorded, and which bytes are its packet.
public struct CaptureRecord: Sendable {
  /// What a record holds.
  public enum Content: Sendable {
    /// An HCI event, from its code on.
    case event
    /// Anything else: other HCI packets, notes of the recorder.
    case other
  }

  /// Where its header starts, in bytes from the start of the file.
  public let offset: UInt64
  /// When the packet was recorded.
  public let time: Timestamp
  /// N of hciN; nil when the file does not say.
  public let adapter: UInt16?
  /// What the packet is.
  public let content: Content
  /// Where the packet lies in the bytes that the reader was given.
  public let range: Range<Int>
}
