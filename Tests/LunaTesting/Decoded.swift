import Testing

@testable import Bluetooth

/// The bytes of hexadecimal text; blanks and bars between the fields are left out.
func hex(_ text: String) throws -> [UInt8] {
  try #require(Hex.bytes(text.filter { !" |\n".contains($0) }))
}

/// What a whole file decodes to.
struct Decoded {
  var reports: [AdvertisingReport] = []
  var counters = SourceCounters()
  var diagnostics = CaptureDiagnostics()
  var format: CaptureFormat?
  var error: SourceError?

  /// Decodes `bytes`, given in pieces of `chunk`.
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
    } catch {
      self.error = error
    }
    counters = decoder.counters
    diagnostics = decoder.diagnostics
    format = decoder.format
  }
}
