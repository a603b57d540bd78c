import Bluetooth

/// Prints a JSON line per advertisement: `type`, `time`, the head, `rssi`, the tail.
final class JSONLinesSink: ReportSink {
  private let buffer: OutputBuffer
  private let adapterName: String?
  private let selection: ReportSelection
  private let fields: [FieldReference]?
  private let flushesEveryBatch: Bool
  private let gate: ListeningGate?
  @exclusivity(unchecked) private var isInBatch = false
  private var filter: FilterEvaluator?
  // Nobody else holds these; checking that at every access costs a tenth of the time.
  @exclusivity(unchecked) private var timeText = TimeText()
  @exclusivity(unchecked) private var cache = LineCache()

  /// - Parameters:
  ///   - adapterName: What stands for an adapter that has no number.
  ///   - fields: The fields to print; nil for all.
  ///   - gate: Lets lines about listening stand among these.
  ///   - flushesEveryBatch: For sources that are not files: nobody should wait for a line.
  init(
    _ buffer: OutputBuffer, adapterName: String?, selection: ReportSelection,
    fields: [FieldReference]?, flushesEveryBatch: Bool, gate: ListeningGate? = nil
  ) {
    self.gate = gate
    self.buffer = buffer
    self.adapterName = adapterName
    self.selection = selection
    self.fields = fields
    self.flushesEveryBatch = flushesEveryBatch
    filter = selection.filter.map { FilterEvaluator($0, adapterName: adapterName) }
  }

  var isRestricting: Bool { selection.isRestricting }

  func take(_ report: AdvertisingReport) throws(OutputBuffer.WriteError) -> Bool {
    if !isInBatch { beginBatch() }
    guard selection.passesRSSI(report) else { return false }
    let mark = buffer.count
    guard fields == nil ? appendLine(report) : appendSelected(report),
      filter?.passes(report) ?? true
    else {
      buffer.truncate(to: mark)
      return false
    }
    try buffer.flushIfLarge()
    return true
  }

  @inline(never)
  private func beginBatch() {
    isInBatch = true
    gate?.enter()
  }

  func endBatch() throws(OutputBuffer.WriteError) {
    isInBatch = false
    guard let gate else {
      if flushesEveryBatch { try buffer.flush() }
      return
    }
    try gate.leave(flushes: flushesEveryBatch)
  }

  func finish() throws(OutputBuffer.WriteError) {
    guard let gate else { return try buffer.flush() }
    try gate.leave(flushes: true)
  }

  var listeningDisplay: (@Sendable (ListeningUpdate) -> Void)? {
    guard let gate, gate.isLive else { return nil }
    return { gate.tell($0) }
  }

  func summarize(_ summary: ListenSummary) { gate?.close(summary) }

  /// Appends the line; false when it is not of a tracker and only those are wanted.
  @inline(__always)
  private func appendLine(_ report: AdvertisingReport) -> Bool {
    buffer.append("{\"type\":\"advertisement\"")
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
    var writer = JSONFieldWriter(buffer, continuing: true)
    AdvertisementDocument.writeHead(report, adapterName: adapterName, to: &writer)
  }

  /// The tail closes the object and the line.
  private func writeTail(_ report: AdvertisingReport) -> Bool {
    var writer = JSONFieldWriter(buffer, continuing: true)
    let recognised = AdvertisementDocument.writeTail(report, to: &writer)
    buffer.append("}\n")
    return recognised
  }

  /// The line with chosen fields only; not worth keeping.
  private func appendSelected(_ report: AdvertisingReport) -> Bool {
    buffer.append("{\"type\":\"advertisement\"")
    var writer = SelectingWriter(JSONFieldWriter(buffer, continuing: true), fields: fields ?? [])
    if report.time != .unknown { writer.string("time", timeText.string(report.time)) }
    AdvertisementDocument.writeHead(report, adapterName: adapterName, to: &writer)
    if let rssi = report.rssi { writer.integer("rssi", Int64(rssi)) }
    let recognised = AdvertisementDocument.writeTail(report, to: &writer)
    buffer.append("}\n")
    return recognised || !selection.trackersOnly
  }
}
