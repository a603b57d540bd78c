/// Turns the bytes of a capture file, as they come, into advertising reports.
public struct CaptureDecoder: Sendable {
  /// Why ``decode(_:at:isEnd:limit:into:)`` returned.
  public enum State: Sendable {
    /// As many reports as asked for are there.
    case full
    /// The bytes are used up; the rest must be given again with more behind.
    case more
    /// The file has ended.
    case end
  }

  private var reader = CaptureReader()
  private var assembler = FragmentAssembler()

  /// What was seen so far; `damagedRecords` is the total of ``diagnostics``.
  public private(set) var counters = SourceCounters()

  /// A decoder at the start of a file.
  public init() {}

  /// What the file is; nil until enough of it was seen.
  public var format: CaptureFormat? { reader.format }
  /// The damage so far.
  public var diagnostics: CaptureDiagnostics { reader.diagnostics }

  /// Reads the file header, so that ``format`` is known before the first report.
  ///
  /// - Returns: false when more bytes are needed.
  /// - Throws: ``SourceError`` of the kind `unreadable`: not a capture file that Luna reads.
  public mutating func readHeader(
    _ bytes: Span<UInt8>, at position: inout Int, isEnd: Bool
  ) throws(SourceError) -> Bool {
    try reader.readHeader(in: bytes, at: &position, isEnd: isEnd)
  }

  /// Appends reports to `reports` until it holds `limit` or a few more.
  ///
  /// - Parameters:
  ///   - bytes: Bytes of the file; give at least ``CaptureReader/requiredCapacity`` before
  ///     expecting progress.
  ///   - position: Where in `bytes` to begin; is moved behind what was consumed.
  ///   - isEnd: Whether the file ends where `bytes` do.
  ///   - limit: How many reports are wanted.
  ///   - reports: Gets the reports, in the order of the file.
  /// - Throws: ``SourceError`` of the kind `unreadable`: not a capture file that Luna reads, or a
  ///   damaged one out of which no record could be read.
  public mutating func decode(
    _ bytes: Span<UInt8>, at position: inout Int, isEnd: Bool, limit: Int,
    into reports: inout [AdvertisingReport]
  ) throws(SourceError) -> State {
    let already = reports.count
    defer {
      counters.reports &+= UInt64(reports.count &- already)
      counters.damagedRecords = reader.diagnostics.total
    }
    while reports.count < limit {
      switch try reader.next(in: bytes, at: &position, isEnd: isEnd) {
      case .record(let record):
        counters.packets &+= 1
        if record.content == .event { readEvent(bytes, record, &reports) }
      case .more:
        return .more
      case .end:
        assembler.finish(counters: &counters)
        if counters.packets == 0, let first = reader.diagnostics.first {
          throw SourceError(
            .unreadable, "no record can be read: \(first) at byte \(reader.diagnostics.firstOffset)"
          )
        }
        return .end
      }
    }
    return .full
  }

  @inline(__always)
  private mutating func readEvent(
    _ bytes: Span<UInt8>, _ record: CaptureRecord, _ reports: inout [AdvertisingReport]
  ) {
    let start = reports.count
    AdvertisingEventParser.parse(
      event: bytes.extracting(record.range), time: record.time, adapter: record.adapter,
      into: &reports, counters: &counters)
    assembler.assemble(&reports, from: start, counters: &counters)
  }
}
