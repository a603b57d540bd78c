import Bluetooth

/// A capture read record by record, and decoded as a whole.
struct Decoding {
  var reports: [AdvertisingReport] = []
  var counters = SourceCounters()
  var diagnostics = CaptureDiagnostics()
  var error: SourceError?
  /// Whether every byte was consumed.
  var isExhausted = false

  init(_ bytes: [UInt8], chunk: Int = .max) {
    var decoder = CaptureDecoder()
    var buffer: [UInt8] = []
    var fed = 0
    var position = 0
    do throws(SourceError) {
      while true {
        let state = try decoder.decode(
          buffer.span, at: &position, isEnd: fed == bytes.count, limit: .max, into: &reports)
        if case .end = state { break }
        buffer.removeFirst(position)
        position = 0
        let end = chunk < bytes.count - fed ? fed + chunk : bytes.count
        buffer += bytes[fed..<end]
        fed = end
      }
      isExhausted = position == buffer.count
    } catch {
      self.error = error
    }
    counters = decoder.counters
    diagnostics = decoder.diagnostics
  }

  /// Where records end in `bytes`, each with how many reports were decoded up to there; the first is
  /// where the first record starts.
  static func boundaries(_ bytes: [UInt8]) throws -> [(offset: Int, reports: Int)] {
    var reader = CaptureReader()
    var position = 0
    var ends: [Int] = []
    _ = try reader.readHeader(in: bytes.span, at: &position, isEnd: true)
    while case .record(let record) = try reader.next(in: bytes.span, at: &position, isEnd: true) {
      if ends.isEmpty { ends.append(Int(record.offset)) }
      ends.append(position)
    }
    if ends.isEmpty { ends.append(position) }
    var decoder = CaptureDecoder()
    var reports: [AdvertisingReport] = []
    position = 0
    return try ends.map { end in
      let part = bytes.span.extracting(0..<end)
      while case .full = try decoder.decode(
        part, at: &position, isEnd: false, limit: .max, into: &reports)
      {}
      return (end, reports.count)
    }
  }
}
