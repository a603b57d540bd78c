public import Bluetooth

extension Timestamp {
  /// Reads RFC 3339 text such as `2026-11-21T10:00:00Z` or `2026-11-21T10:00:00.25+01:00`. A blank
  /// may stand for the `T`; the offset may be missing, which means UTC; digits beyond microseconds
  /// are cut.
  ///
  /// - Returns: nil for any other text, and for dates that do not exist.
  public init?(rfc3339 text: some StringProtocol) {
    self.init(rfc3339: Array(text.utf8))
  }

  /// The same of the bytes of a text: where there are very many, to ask any kind of text for them takes as
  /// long as all the rest.
  package init?(rfc3339 text: [UInt8]) {
    func number(_ range: Range<Int>) -> Int64? {
      guard range.upperBound <= text.count else { return nil }
      var value: Int64 = 0
      for byte in text[range] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        value = value * 10 + Int64(byte - UInt8(ascii: "0"))
      }
      return value
    }
    func has(_ characters: String, at index: Int) -> Bool {
      index < text.count && characters.utf8.contains(text[index])
    }
    guard let year = number(0..<4), has("-", at: 4), let month = number(5..<7), has("-", at: 7),
      let day = number(8..<10), has("Tt ", at: 10), let hour = number(11..<13), has(":", at: 13),
      let minute = number(14..<16), has(":", at: 16), let second = number(17..<19),
      let date = CivilDate(year: year, month: month, day: day), hour < 24, minute < 60, second < 60
    else { return nil }
    var index = 19
    var fraction: Int64 = 0
    if has(".", at: index) {
      index += 1
      let first = index
      while index - first < 6, let digit = number(index..<index + 1) {
        fraction = fraction * 10 + digit
        index += 1
      }
      guard index > first else { return nil }
      for _ in index - first..<6 { fraction *= 10 }
      while number(index..<index + 1) != nil { index += 1 }
    }
    var offset: Int64 = 0
    if has("Zz", at: index) {
      index += 1
    } else if has("+-", at: index) {
      guard let hours = number(index + 1..<index + 3), has(":", at: index + 3),
        let minutes = number(index + 4..<index + 6), hours < 24, minutes < 60
      else { return nil }
      offset = (hours * 60 + minutes) * (has("-", at: index) ? -60 : 60)
      index += 6
    }
    guard index == text.count else { return nil }
    let seconds = date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second - offset
    self.init(microseconds: seconds * 1_000_000 + fraction)
  }

  /// RFC 3339 text in UTC with microseconds, as `2026-01-02T03:04:05.678901Z`; years beyond 0 to
  /// 9999 are cut to them.
  public var rfc3339: String {
    let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let seconds = remainder < 0 ? quotient - 1 : quotient
    let (dayQuotient, dayRemainder) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let days = dayRemainder < 0 ? dayQuotient - 1 : dayQuotient
    let inDay = seconds - days * 86_400
    let civil = CivilDate(daysSinceEpoch: days)
    func padded(_ value: Int64, _ width: Int = 2) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
    let date =
      "\(padded(min(max(civil.year, 0), 9999), 4))-\(padded(civil.month))-\(padded(civil.day))"
    let time = "\(padded(inDay / 3600)):\(padded(inDay / 60 % 60)):\(padded(inDay % 60))"
    return "\(date)T\(time).\(padded(microseconds &- seconds &* 1_000_000, 6))Z"
  }
}
