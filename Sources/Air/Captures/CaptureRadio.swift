public import Bluetooth

/// A recording in the place of a radio: a btsnoop, pcap or pcapng file. It cannot connect.
public struct CaptureRadio: RadioProvider {
  /// The file; `-` is standard input.
  public let path: String
  /// Whether it is played at the pace at which it was recorded.
  public let inRealTime: Bool

  /// A recording, by default as fast as it can be read.
  public init(_ path: String, inRealTime: Bool = false) {
    self.path = path
    self.inRealTime = inRealTime
  }

  /// What was recorded.
  public var air: RadioAir { .recorded(inRealTime: inRealTime) }

  /// The file, from its beginning.
  public func makeRadio(_ mode: ScanMode) throws(SourceError) -> Radio {
    Radio(source: CaptureFileSource(path: path, realtime: inRealTime))
  }
}
