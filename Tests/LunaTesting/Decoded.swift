public import Bluetooth

/// What a whole capture file decodes to.
public struct Decoded {
  /// What is in it.
  public private(set) var reports: [AdvertisingReport] = []
  /// What was counted.
  public let counters: SourceCounters
  /// What is damaged.
  public let diagnostics: CaptureDiagnostics
  /// What kind of file it is; nil when that cannot be told.
  public let format: CaptureFormat?
  /// Why it could not be read to its end.
  public private(set) var error: SourceError?
  /// Whether every byte was consumed.
  public private(set) var isExhausted = false

  /// Decodes `bytes`, given in pieces of `chunk`.
  public init(_ bytes: [UInt8], chunk: Int = .max) {
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
    format = decoder.format
  }
}
