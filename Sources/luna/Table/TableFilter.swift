/// What the user wants to see of the rows.
struct TableFilter: Sendable, Equatable {
  /// Words that must all occur in what a row is, its name or its address, in capitals or not.
  var text = ""
  var trackersOnly = false

  var isEmpty: Bool { text.isEmpty && !trackersOnly }

  func apply(to rows: [TableRow]) -> [TableRow] {
    if isEmpty { return rows }
    let words = text.lowercased().split(separator: " ").map { Array($0.utf8) }
    return rows.filter { row in
      if trackersOnly, !row.isTracker { return false }
      return words.allSatisfy { word in
        Self.contains(word, in: row.kind) || Self.contains(word, in: row.address)
          || Self.contains(word, in: row.addressDetail)
          || row.name.map { Self.contains(word, in: $0) } == true
      }
    }
  }

  /// Compares bytes, since this is done for every row four times a second.
  private static func contains(_ word: [UInt8], in text: String) -> Bool {
    let isASCII = word.allSatisfy { $0 < 0x80 }
    var text = isASCII ? text : text.lowercased()
    return text.withUTF8 { bytes in
      guard bytes.count >= word.count else { return false }
      return (0...(bytes.count - word.count)).contains { start in
        word.indices.allSatisfy { lowercase(bytes[start + $0]) == word[$0] }
      }
    }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= byte ? byte | 0x20 : byte
  }
}
