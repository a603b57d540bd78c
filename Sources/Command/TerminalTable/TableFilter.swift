/// What the user wants to see of the rows.
struct TableFilter: Sendable, Equatable {
  /// What was typed.
  var text = "" {
    didSet { read() }
  }
  var trackersOnly = false
  private(set) var query = TableQuery.everything
  /// The expression that rows are held against: while something is added to one that cannot be read
  /// yet, the one before stays.
  private(set) var expression: FilterExpression?
  private let catalog: FieldCatalog

  init(_ catalog: FieldCatalog = .advertisement) { self.catalog = catalog }

  var isEmpty: Bool { text.isEmpty && !trackersOnly }

  /// What is wrong with the text, where it is an expression.
  var mistake: FilterError? {
    if case .mistake(let error) = query { error } else { nil }
  }

  private mutating func read() {
    query = TableQuery.read(text, catalog)
    switch query {
    case .expression(let expression): self.expression = expression
    case .everything, .words: expression = nil
    case .mistake:
      if let before = expression?.text, !text.hasPrefix(before) { expression = nil }
    }
  }

  func apply(to rows: [TableRow]) -> [TableRow] {
    if isEmpty { return rows }
    var words: [[UInt8]] = []
    if case .words(let typed) = query { words = typed.map { Array($0.utf8) } }
    return rows.filter { row in
      if trackersOnly, !row.isTracker { return false }
      if expression != nil { return row.passes }
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

  static func == (left: Self, right: Self) -> Bool {
    left.text == right.text && left.trackersOnly == right.trackersOnly
  }
}
