/// Reads the records of a capture file that arrives in pieces. It recognises the format by the
/// first bytes, copies nothing, and needs no memory of its own per record.
///
/// Damage does not end the reading where the next record can be found: it is noted with its
/// position in ``diagnostics``.
public struct CaptureReader: Sendable {
  /// The longest packet that is believed; as in Wireshark.
  static let maximumPacketCount = 262_144
  /// Every record fits into this many bytes: a caller whose buffer is as large makes progress at
  /// every ``CaptureStep/more``.
  public static let requiredCapacity = maximumPacketCount + 4096
  /// The longest packet that is believed while looking for the next record after damage: an ACL
  /// packet with its headers.
  static let plausiblePacketCount = 65_552

  /// What the file is; nil until enough of it was seen.
  public private(set) var format: CaptureFormat?
  /// The damage so far.
  public private(set) var diagnostics = CaptureDiagnostics()
  /// How many bytes of the file were consumed.
  public private(set) var offset: UInt64 = 0

  private var btsnoop = BTSnoopReader(datalink: .h4)

  /// A reader at the start of a file.
  public init() {}

  /// The next record.
  ///
  /// - Parameters:
  ///   - bytes: Bytes of the file.
  ///   - position: Where in `bytes` the bytes begin that were not consumed yet; is moved. What
  ///     lies behind it must be given again, with more of the file, after ``CaptureStep/more``.
  ///   - isEnd: Whether the file ends where `bytes` do.
  /// - Throws: ``SourceError`` of the kind `unreadable` when this is not a capture file that Luna
  ///   reads.
  public mutating func next(
    in bytes: Span<UInt8>, at position: inout Int, isEnd: Bool
  ) throws(SourceError) -> CaptureStep {
    var cursor = CaptureCursor(position: position, offset: offset)
    defer {
      position = cursor.position
      offset = cursor.offset
    }
    if format == nil {
      guard try parseHeader(bytes, &cursor, isEnd) else { return .more }
    }
    return btsnoop.next(in: bytes, at: &cursor, isEnd: isEnd, diagnostics: &diagnostics)
  }

  /// Reads the file header only; as ``next(in:at:isEnd:)`` does by itself.
  ///
  /// - Returns: false when more bytes are needed.
  /// - Throws: ``SourceError`` of the kind `unreadable`, as ``next(in:at:isEnd:)``.
  public mutating func readHeader(
    in bytes: Span<UInt8>, at position: inout Int, isEnd: Bool
  ) throws(SourceError) -> Bool {
    guard format == nil else { return true }
    var cursor = CaptureCursor(position: position, offset: offset)
    defer {
      position = cursor.position
      offset = cursor.offset
    }
    return try parseHeader(bytes, &cursor, isEnd)
  }

  private mutating func parseHeader(
    _ bytes: Span<UInt8>, _ cursor: inout CaptureCursor, _ isEnd: Bool
  ) throws(SourceError) -> Bool {
    let start = cursor.position
    guard bytes.count - start >= BTSnoopReader.fileHeaderCount else {
      if isEnd { throw SourceError(.unreadable, "the file is too short to be a capture") }
      return false
    }
    guard bytes.bigEndian(UInt64.self, at: start) == 0x6274_736E_6F6F_7000 else {
      throw SourceError(.unreadable, "this is not a capture file")
    }
    guard
      let datalink = BTSnoopDatalink(rawValue: bytes.bigEndian(UInt32.self, at: start + 12))
    else {
      throw SourceError(.unreadable, "unsupported datalink")
    }
    format = .btsnoop(datalink)
    btsnoop = BTSnoopReader(datalink: datalink)
    cursor.advance(BTSnoopReader.fileHeaderCount)
    return true
  }

  /// Whether a record of `time` may stand near one of `last`, in microseconds since 1970: within
  /// a day of it, or between 1970 and 2100 when there is no other.
  static func isPlausible(time: Int64, after last: Int64?) -> Bool {
    guard let last else { return (0...4_102_444_800_000_000).contains(time) }
    return abs(time.subtractingReportingOverflow(last).partialValue) <= 86_400_000_000
  }
}
