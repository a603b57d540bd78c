import Bluetooth
import LunaTesting

extension Decoded {
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
