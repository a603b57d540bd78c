/// The parts of a TZif file (RFC 8536, 3).
struct TZifReader {
  struct Header {
    let version: UInt8
    let utc: Int
    let standard: Int
    let leaps: Int
    let times: Int
    let types: Int
    let characters: Int

    /// The bytes of the data behind it.
    func count(timeBytes: Int) -> Int {
      times * (timeBytes + 1) + types * 6 + characters + leaps * (timeBytes + 4) + standard + utc
    }
  }

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func header() throws(ZoneRules.Mistake) -> Header {
    guard try take(4).elementsEqual("TZif".utf8) else { throw .malformed }
    let digit = try take(1).first ?? 0
    try skip(15)
    let counts = try integers(6, bytes: 4)
    // No zone has more than some hundreds of any.
    guard counts.allSatisfy({ (0...100_000).contains($0) }) else { throw .malformed }
    return Header(
      version: digit == 0 ? 1 : digit &- UInt8(ascii: "0"), utc: Int(counts[0]),
      standard: Int(counts[1]), leaps: Int(counts[2]), times: Int(counts[3]),
      types: Int(counts[4]), characters: Int(counts[5]))
  }

  mutating func take(_ count: Int) throws(ZoneRules.Mistake) -> ArraySlice<UInt8> {
    guard count >= 0, bytes.count - position >= count else { throw .malformed }
    position += count
    return bytes[position - count..<position]
  }

  mutating func skip(_ count: Int) throws(ZoneRules.Mistake) { _ = try take(count) }

  mutating func integer(bytes count: Int) throws(ZoneRules.Mistake) -> Int64 {
    let value = try take(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return count == 8 ? Int64(bitPattern: value) : Int64(Int32(truncatingIfNeeded: value))
  }

  mutating func integers(_ count: Int, bytes: Int) throws(ZoneRules.Mistake) -> [Int64] {
    var result: [Int64] = []
    for _ in 0..<count { result.append(try integer(bytes: bytes)) }
    return result
  }

  /// The rule for times after the last change, between two ends of line; nil where it is empty.
  mutating func footer() throws(ZoneRules.Mistake) -> PosixRule? {
    guard try take(1).first == 0x0A else { throw .malformed }
    guard let end = bytes[position...].firstIndex(of: 0x0A) else { throw .malformed }
    let text = String(decoding: bytes[position..<end], as: UTF8.self)
    if text.isEmpty { return nil }
    guard let rule = PosixRule(text) else { throw .footer }
    return rule
  }
}
