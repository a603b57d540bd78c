public import Bluetooth

/// Writes a JSON line per advertisement: `type`, `time`, the head, `rssi`, the tail.
///
/// Keeps the text of what is sent again and again. One thread at a time may use it.
public final class AdvertisementLines {
  private let buffer: OutputBuffer
  private let adapterName: String?
  private let selection: ReportSelection
  private let fields: [FieldReference]?
  private var filter: FilterEvaluator?
  // Nobody else holds these; checking that at every access costs a tenth of the time.
  @exclusivity(unchecked) private var timeText = TimeText()
  @exclusivity(unchecked) private var cache: LineCache

  /// - Parameters:
  ///   - buffer: where the lines go.
  ///   - adapterName: what stands for an adapter that has no number.
  ///   - selection: which advertisements are written.
  ///   - fields: the fields to write; nil for all.
  public init(
    _ buffer: OutputBuffer, adapterName: String? = nil,
    selection: ReportSelection = ReportSelection(), fields: [FieldReference]? = nil
  ) {
    self.buffer = buffer
    self.adapterName = adapterName
    self.selection = selection
    self.fields = fields
    cache = LineCache()
    filter = selection.filter.map { FilterEvaluator($0, adapterName: adapterName) }
  }

  /// - Parameter store: keeps the text of what is sent again and again, for all threads that print a recording.
  init(
    _ buffer: OutputBuffer, adapterName: String?, fields: [FieldReference]?, store: LineStore
  ) {
    self.buffer = buffer
    self.adapterName = adapterName
    selection = ReportSelection()
    self.fields = fields
    cache = LineCache(store)
  }

  /// Appends the line of a report, if it passes the selection.
  ///
  /// - Returns: Whether it does.
  public func append(_ report: AdvertisingReport) -> Bool {
    guard selection.passesRSSI(report) else { return false }
    let mark = buffer.count
    guard fields == nil ? appendLine(report) : appendSelected(report),
      filter?.passes(report) ?? true
    else {
      buffer.truncate(to: mark)
      return false
    }
    return true
  }

  /// Appends the line; false when it is not of a tracker and only those are wanted.
  @inline(__always)
  private func appendLine(_ report: AdvertisingReport) -> Bool {
    _ = JSONFieldWriter("advertisement", in: buffer)
    if report.time != .unknown {
      buffer.append(",\"time\":\"")
      timeText.append(report.time, to: buffer)
      buffer.append(UInt8(ascii: "\""))
    }
    guard let key = LineCache.Key(report) else { return appendNew(report, key: nil) }
    guard let line = cache.find(key) else { return appendNew(report, key: key) }
    return append(line, report)
  }

  @inline(__always)
  private func append(_ line: LineCache.Line, _ report: AdvertisingReport) -> Bool {
    guard line.recognised || !selection.trackersOnly else { return false }
    buffer.append(line.head)
    appendRSSI(report)
    buffer.append(line.tail)
    return true
  }

  /// Renders a line, and keeps it under `key` when it comes again.
  @inline(never)
  private func appendNew(_ report: AdvertisingReport, key: LineCache.Key?) -> Bool {
    let head = buffer.count
    writeHead(report)
    let headCount = buffer.count - head
    appendRSSI(report)
    let tail = buffer.count
    let recognised = writeTail(report)
    if let key, cache.isWorthKeeping(key) {
      buffer.withBytes(from: head) { text in
        cache.insert(
          key,
          LineCache.Line(
            head: UnsafeBufferPointer(rebasing: text[..<headCount]),
            tail: UnsafeBufferPointer(rebasing: text[(tail - head)...]), recognised: recognised))
      }
    }
    return recognised || !selection.trackersOnly
  }

  @inline(__always)
  private func appendRSSI(_ report: AdvertisingReport) {
    guard let rssi = report.rssi else { return }
    buffer.append(",\"rssi\":")
    buffer.append(decimal: Int64(rssi))
  }

  private func writeHead(_ report: AdvertisingReport) {
    var writer = JSONFieldWriter(continuing: buffer)
    AdvertisementDocument.writeHead(report, adapterName: adapterName, to: &writer)
  }

  /// The tail closes the object and the line.
  private func writeTail(_ report: AdvertisingReport) -> Bool {
    var writer = JSONFieldWriter(continuing: buffer)
    let recognised = AdvertisementDocument.writeTail(report, to: &writer)
    writer.endLine()
    return recognised
  }

  /// The line with chosen fields only; not worth keeping.
  private func appendSelected(_ report: AdvertisingReport) -> Bool {
    var writer = SelectingWriter(JSONFieldWriter("advertisement", in: buffer), fields: fields ?? [])
    if report.time != .unknown { writer.string("time", timeText.string(report.time)) }
    AdvertisementDocument.writeHead(report, adapterName: adapterName, to: &writer)
    if let rssi = report.rssi { writer.integer("rssi", Int64(rssi)) }
    let recognised = AdvertisementDocument.writeTail(report, to: &writer)
    writer.finish()
    writer.inner.endLine()
    return recognised || !selection.trackersOnly
  }
}
