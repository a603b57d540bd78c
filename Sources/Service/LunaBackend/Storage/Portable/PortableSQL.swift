/// Statements in what SQLite and PostgreSQL have in common, as each of them wants it.
enum PortableSQL {
  /// As SQLite takes it: its tables have no schema, and it counts only parameters that begin with `?`.
  static func sqlite(_ statement: String) -> String {
    rewrite(statement) { word, isQualifier in
      if word == "luna", isQualifier { return "" }
      return word.hasPrefix("$") ? "?" + word.dropFirst() : nil
    }
  }

  /// As PostgreSQL takes it: its names of types have other sizes, its tables are always strict, and
  /// have no row numbers.
  static func postgreSQL(_ statement: String) -> String {
    rewrite(statement) { word, _ in
      switch word {
      case "INTEGER": "int8"
      case "REAL": "float8"
      case "BLOB": "bytea"
      case "STRICT", "WITHOUT", "ROWID": ""
      default: nil
      }
    }
  }

  /// Goes through the words outside of quotes.
  ///
  /// - Parameter replacement: for a word, and whether a point follows it; nil where it stays. The point
  ///   behind a word that becomes nothing goes along.
  private static func rewrite(
    _ statement: String, _ replacement: (_ word: String, _ isQualifier: Bool) -> String?
  ) -> String {
    var result: [UInt8] = []
    var rest = Array(statement.utf8)[...]
    while let first = rest.first {
      if first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") {
        let end = rest.dropFirst().firstIndex(of: first).map { $0 + 1 } ?? rest.endIndex
        result += rest[..<end]
        rest = rest[end...]
      } else if isWord(first) {
        let word = rest.prefix(while: isWord)
        rest = rest[word.endIndex...]
        let isQualifier = rest.first == UInt8(ascii: ".")
        let new = replacement(String(decoding: word, as: UTF8.self), isQualifier)
        result += new.map { Array($0.utf8)[...] } ?? word
        if new == "", isQualifier { rest = rest.dropFirst() }
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
