import Diagnosis

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
  public internal(set) var diagnostics = CaptureDiagnostics()
  /// How many bytes of the file were consumed.
  public private(set) var offset: UInt64 = 0

  private var btsnoop = SequentialReader(layout: BTSnoopLayout(datalink: .h4))
  private var pcap = SequentialReader(
    layout: PcapLayout(
      linkType: .h4, isBigEndian: false, isNanoseconds: false, headerCount: 16))
  private var pcapng = PcapngReader()

  /// The packets that the recorder says it has lost so far.
  var lostCount: UInt64 {
    format == .pcapng ? pcapng.lostCount : UInt64(btsnoop.lostCount)
  }

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
  @inline(__always)
  public mutating func next(
    in bytes: Span<UInt8>, at position: inout Int, isEnd: Bool
  ) throws(SourceError) -> CaptureStep {
    guard try readHeader(in: bytes, at: &position, isEnd: isEnd) else { return .more }
    var cursor = CaptureCursor(position: position, offset: offset)
    defer {
      position = cursor.position
      offset = cursor.offset
    }
    switch format {
    case .btsnoop:
      return btsnoop.next(in: bytes, at: &cursor, isEnd: isEnd, diagnostics: &diagnostics)
    case .pcap:
      return pcap.next(in: bytes, at: &cursor, isEnd: isEnd, diagnostics: &diagnostics)
    case .pcapng:
      return pcapng.next(in: bytes, at: &cursor, isEnd: isEnd, diagnostics: &diagnostics)
    case nil:
      return .more
    }
  }

  /// Reads the file header only; ``next(in:at:isEnd:)`` does it by itself.
  ///
  /// - Returns: false when more bytes are needed.
  /// - Throws: ``SourceError`` of the kind `unreadable`, as ``next(in:at:isEnd:)``.
  @inline(__always)
  public mutating func readHeader(
    in bytes: Span<UInt8>, at position: inout Int, isEnd: Bool
  ) throws(SourceError) -> Bool {
    if format != nil { return true }
    guard let count = try parseHeader(bytes.extracting(position..<bytes.count), isEnd) else {
      return false
    }
    position &+= count
    offset &+= UInt64(count)
    return true
  }

  /// Sets the format.
  ///
  /// - Returns: the bytes of the header; nil when more are needed.
  private mutating func parseHeader(
    _ head: Span<UInt8>, _ isEnd: Bool
  ) throws(SourceError) -> Int? {
    if head.count >= 8, head.bigEndian(UInt64.self, at: 0) == BTSnoopLayout.magic {
      return try parseBTSnoop(head, isEnd)
    }
    if head.count >= 4, let kind = PcapLayout.kind(head, at: 0) {
      return try parsePcap(head, isEnd, kind)
    }
    if head.count >= 4, head.bigEndian(UInt32.self, at: 0) == PcapngBlockType.sectionHeader {
      guard head.count >= 12 else {
        if isEnd { throw SourceError(.unreadable, "the pcapng file ends within its header") }
        return nil
      }
      if [0x1A2B_3C4D, 0x4D3C_2B1A].contains(head.bigEndian(UInt32.self, at: 8)) {
        // A section header is a block like others: left to the reader of these.
        format = .pcapng
        return 0
      }
    }
    guard isEnd || head.count >= ForeignFile.headCount else { return nil }
    throw ForeignFile.error(head.extracting(first: ForeignFile.headCount))
  }

  private mutating func parseBTSnoop(
    _ head: Span<UInt8>, _ isEnd: Bool
  ) throws(SourceError) -> Int? {
    guard head.count >= BTSnoopLayout.fileHeaderCount else {
      if isEnd { throw SourceError(.unreadable, "the btsnoop file ends within its header") }
      return nil
    }
    let version = head.bigEndian(UInt32.self, at: 8)
    guard version == 1 else {
      throw SourceError(
        .unreadable, "the btsnoop file has version \(version)", remedy: "supported is version 1")
    }
    let number = head.bigEndian(UInt32.self, at: 12)
    guard let datalink = BTSnoopDatalink(rawValue: number) else {
      throw SourceError(
        .unreadable, "the btsnoop file has \(ForeignLink.name(datalink: number))",
        remedy: CaptureFormat.supported)
    }
    format = .btsnoop(datalink)
    btsnoop = SequentialReader(layout: BTSnoopLayout(datalink: datalink))
    return BTSnoopLayout.fileHeaderCount
  }

  private mutating func parsePcap(
    _ head: Span<UInt8>, _ isEnd: Bool,
    _ kind: (isBigEndian: Bool, isNanoseconds: Bool, headerCount: Int)
  ) throws(SourceError) -> Int? {
    guard head.count >= PcapLayout.fileHeaderCount else {
      if isEnd { throw SourceError(.unreadable, "the pcap file ends within its header") }
      return nil
    }
    let major = head.number(UInt16.self, at: 4, isBigEndian: kind.isBigEndian)
    guard major == 2 else {
      throw SourceError(
        .unreadable, "the pcap file has version \(major)", remedy: "supported is version 2")
    }
    // The upper half holds the length of a frame check sequence.
    let number = UInt16(
      truncatingIfNeeded: head.number(UInt32.self, at: 20, isBigEndian: kind.isBigEndian))
    guard let linkType = LinkType(rawValue: number) else {
      throw SourceError(
        .unreadable, "the pcap file has \(ForeignLink.name(linkType: number))",
        remedy: CaptureFormat.supported)
    }
    format = .pcap(linkType)
    pcap = SequentialReader(
      layout: PcapLayout(
        linkType: linkType, isBigEndian: kind.isBigEndian, isNanoseconds: kind.isNanoseconds,
        headerCount: kind.headerCount))
    return PcapLayout.fileHeaderCount
  }

  /// A link type in a pcapng file that Luna does not read; nil as well when there is one that it
  /// reads.
  var unsupportedLink: UInt16? { pcapng.unsupportedLink }

  /// Whether two times, in microseconds, lie within a day of each other.
  @inline(__always)
  static func isNear(_ time: Int64, _ other: Int64) -> Bool {
    let (difference, overflow) = time.subtractingReportingOverflow(other)
    return !overflow && difference.magnitude <= 86_400_000_000
  }
}
