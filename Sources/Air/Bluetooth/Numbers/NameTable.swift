/// Names by number, searched where they lie in the program: nothing is built at start.
struct NameTable: Sendable {
  /// The hexadecimal digits that begin a line.
  let keyDigits: Int
  /// A line per entry, sorted by key: the digits in upper case, a space, the name.
  let lines: StaticString

  /// The name that stands for `key`.
  ///
  /// - Parameter digit: Gives the value of the key's digit at an index, the first one the most
  ///   significant.
  private func name(digit: (Int) -> UInt8) -> String? {
    lines.withUTF8Buffer { buffer in
      let text = unsafe buffer.span
      var low = 0
      var high = text.count
      while low < high {
        // The line around the middle.
        var start = low &+ (high &- low) / 2
        while start > low, text[start &- 1] != UInt8(ascii: "\n") { start &-= 1 }
        var end = start
        while end < high, text[end] != UInt8(ascii: "\n") { end &+= 1 }
        guard end &- start > keyDigits &+ 1 else { return nil }
        var order = 0
        for index in 0..<keyDigits where order == 0 {
          order = Int(digit(index)) &- Int(Hex.value(of: text[start &+ index]) ?? 0)
        }
        if order == 0 {
          return String(copying: text.extracting(start &+ keyDigits &+ 1..<end))
        }
        if order < 0 {
          high = start
        } else {
          low = end &+ 1
        }
      }
      return nil
    }
  }

  /// All names, in the order of their keys.
  var names: [String] {
    lines.withUTF8Buffer { buffer in
      let text = unsafe buffer.span
      var names: [String] = []
      var start = 0
      for index in 0...text.count where index == text.count || text[index] == UInt8(ascii: "\n") {
        if index > start &+ keyDigits {
          names.append(String(copying: text.extracting(start &+ keyDigits &+ 1..<index)))
        }
        start = index &+ 1
      }
      return names
    }
  }

  /// The name for a key of four digits.
  func name(for key: UInt16) -> String? {
    name { UInt8(truncatingIfNeeded: key >> UInt16(12 &- 4 &* $0)) & 15 }
  }

  /// The name for a key of 32 digits.
  func name(high: UInt64, low: UInt64) -> String? {
    name { UInt8(truncatingIfNeeded: ($0 < 16 ? high : low) >> UInt64(60 &- 4 &* ($0 & 15))) & 15 }
  }
}

extension String {
  /// Text of bytes that are UTF-8.
  fileprivate init(copying text: Span<UInt8>) {
    self = unsafe text.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
