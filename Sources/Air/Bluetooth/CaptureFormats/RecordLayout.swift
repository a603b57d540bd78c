/// How the records of a file lie in it when each is a header of a fixed size, with the number of
/// packet bytes in it, and then the packet: btsnoop and pcap.
protocol RecordLayout: Sendable {
  /// The bytes of a record header.
  var headerCount: Int { get }

  /// The bytes of the packet that are in the file. The header is there when this and the following
  /// are called.
  func includedCount(_ bytes: Span<UInt8>, at start: Int) -> UInt32

  /// The bytes that the packet had.
  func originalCount(_ bytes: Span<UInt8>, at start: Int) -> UInt32

  /// The packets that the recorder has lost from the beginning of the file on; 0 where the format does not say.
  func lostCount(_ bytes: Span<UInt8>, at start: Int) -> UInt32

  /// When it was recorded, in microseconds since 1970.
  func time(_ bytes: Span<UInt8>, at start: Int) -> Int64

  /// Whether what else is in the header is as it has to be.
  func isPlausible(_ bytes: Span<UInt8>, at start: Int) -> Bool

  /// The packet of the record from `start` to `end`.
  func packet(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> CapturePacket
}
