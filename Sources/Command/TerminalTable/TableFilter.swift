/// What the user wants to see of the rows.
struct TableFilter: Sendable, Equatable {
  /// What was typed.
  var text = "" {
    didSet { read() }
  }
  var markedOnly = false
  private(set) var query = TableQuery.everything
  /// The expression that rows are held against: while something is added to one that cannot be read
  /// yet, the one before stays.
  private(set) var expression: (any TableExpression)?
  private let language: TableLanguage?
  /// The places of the columns where words are looked for.
  private let searched: [Int]

  init(_ table: TableDescription) {
    language = table.language
    searched = table.columns.indices.filter { table.columns[$0].isSearched }
  }

  var isEmpty: Bool { text.isEmpty && !markedOnly }

  /// What is wrong with the text, where it is an expression.
  var mistake: TableMistake? {
    if case .mistake(let error) = query { error } else { nil }
  }

  private mutating func read() {
    query = TableQuery.read(text, language)
    switch query {
    case .expression(let expression): self.expression = expression
    case .words(_, let expression): self.expression = expression
    case .everything: expression = nil
    case .mistake:
      if let before = expression?.text, !text.hasPrefix(before) { expression = nil }
    }
  }

  func apply(to rows: [TableRow]) -> [TableRow] {
    if isEmpty { return rows }
    var words: [[UInt8]]?
    if case .words(let typed, _) = query { words = typed.map { Array($0.utf8) } }
    return rows.filter { row in
      if markedOnly, !row.isMarked { return false }
      if expression != nil, row.passes { return true }
      guard let words else { return expression == nil }
      return words.allSatisfy { word in
        searched.contains { Self.contains(word, in: row.text($0)) }
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

  static func == (left: Self, right: Self) -> Bool {
    left.text == right.text && left.markedOnly == right.markedOnly
  }
}
