/// One record of a capture file: where it is, when it was recorded, and which bytes are its packet.
public struct CaptureRecord: Sendable {
  /// Where its header starts, in bytes from the start of the file.
  public let offset: UInt64
  /// When the packet was recorded; `Timestamp.unknown` when the file does not say.
  public let time: Timestamp
  /// What was recorded, and of which kind it is.
  public let packet: CapturePacket
}
