import Diagnosis

/// Turns the bytes of a capture file, as they come, into advertising reports.
///
/// HCI events give the reports in them; the fragments of extended advertisements are put together.
/// Link-layer captures give a report for every advertising PDU.
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

  /// What was seen so far. `damagedRecords` counts all ``diagnostics`` but short events, which are
  /// `overrunEvents`; `kernelDrops` is what the recorder says it has lost.
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
  ///   - bytes: Bytes of the file; ``CaptureReader/requiredCapacity`` of them are always enough for
  ///     the next record.
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
      counters.damagedRecords =
        reader.diagnostics.total &- reader.diagnostics.count(of: .shortEvent)
      counters.kernelDrops = reader.lostCount
    }
    while reports.count < limit {
      switch try reader.next(in: bytes, at: &position, isEnd: isEnd) {
      case .record(let record): read(record, bytes, &reports)
      case .more: return .more
      case .end:
        assembler.finish(counters: &counters)
        try checkWorth()
        return .end
      }
    }
    return .full
  }

  @inline(__always)
  private mutating func read(
    _ record: CaptureRecord, _ bytes: Span<UInt8>, _ reports: inout [AdvertisingReport]
  ) {
    counters.packets &+= 1
    let packet = record.packet
    switch packet.content {
    case .event:
      readEvent(bytes.extracting(packet.range), record, &reports)
    case .linkLayer:
      let frame = bytes.extracting(packet.range)
      readFrame(frame, LinkLayerFrame(start: 0), record, &reports)
    case .linkLayerWithRadio:
      let frame = bytes.extracting(packet.range)
      readFrame(frame, RadioHeader.frame(frame), record, &reports)
    case .nordicSniffer:
      let frame = bytes.extracting(packet.range)
      readFrame(frame, NordicSnifferHeader.frame(frame), record, &reports)
    case .other, .unsupported:
      break
    }
  }

  @inline(__always)
  private mutating func readEvent(
    _ event: Span<UInt8>, _ record: CaptureRecord, _ reports: inout [AdvertisingReport]
  ) {
    let start = reports.count
    let overruns = counters.overrunEvents
    AdvertisingEventParser.parse(
      event: event, time: record.time, adapter: record.packet.adapter, into: &reports,
      counters: &counters)
    if counters.overrunEvents != overruns {
      reader.diagnostics.note(.shortEvent, at: record.offset)
    }
    if event.count > 2, event[2] == HCIEventCode.leExtendedAdvertisingReport {
      assembler.assemble(&reports, from: start, counters: &counters)
    }
  }

  private mutating func readFrame(
    _ bytes: Span<UInt8>, _ frame: LinkLayerFrame?, _ record: CaptureRecord,
    _ reports: inout [AdvertisingReport]
  ) {
    guard let frame else {
      reader.diagnostics.note(.malformedPDU, at: record.offset)
      return
    }
    switch AdvertisingPDUParser.parse(bytes, frame: frame, time: record.time, into: &reports) {
    case .report, .notAdvertising: break
    case .wrongChecksum: counters.checksumErrors &+= 1
    case .malformed: reader.diagnostics.note(.malformedPDU, at: record.offset)
    }
  }

  /// At the end: whether there was anything to read in the file.
  private func checkWorth() throws(SourceError) {
    if let link = reader.unsupportedLink {
      throw SourceError(
        .unreadable, "the pcapng file has \(ForeignLink.name(linkType: link))",
        remedy: CaptureFormat.supported)
    }
    if counters.packets == 0, let first = reader.diagnostics.first {
      throw SourceError(
        .unreadable,
        "no record can be read: \(first.phrase) at byte \(reader.diagnostics.firstOffset)")
    }
  }
}
