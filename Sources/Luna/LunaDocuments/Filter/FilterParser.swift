/// Reads the text of a filter.
///
///     or         = and { ("||" | "or") and }
///     and        = unary { ("&&" | "and") unary }
///     unary      = ("!" | "not") unary | "(" or ")" | "has" "(" name ")" | comparison | word
///     comparison = name [range] operator constant | name [range] ["not"] "in" set
///     range      = "[" [offset] [":" [count]] "]"
///     set        = "{" member { "," member } "}"
///     member     = constant | number ".." number
///     constant   = "text" | number | true | false | time
///
/// A word that is no field is searched in the names of things; beside others it has to be a name, or a word of one,
/// so that a mistyped field, or one that is not yet typed to its end, is not taken for one.
public struct FilterParser {
  /// Longer filters, deeper ones and those with more comparisons are mistakes.
  private static let maximumCount = 10_000
  private static let maximumDepth = 100
  private static let maximumComparisons = 1_000

  private let catalog: FieldCatalog
  private var scan: FilterScanner
  private var fields: [FieldReference] = []
  private var depth = 0
  private var comparisons = 0

  private init(_ text: String, _ catalog: FieldCatalog) {
    scan = FilterScanner(text)
    self.catalog = catalog
  }

  /// The condition that `text` describes.
  public static func parse(
    _ text: String, _ catalog: FieldCatalog = .advertisement
  ) throws(FilterError) -> FilterExpression {
    guard text.utf8.count <= maximumCount else {
      throw FilterError(reason: "the filter is longer than \(maximumCount) bytes", position: 0)
    }
    if let word = FilterScanner.onlyWord(of: text), (try? catalog.field(word)) == nil {
      return try parse(word: FilterWord(word), catalog)
    }
    var parser = FilterParser(text, catalog)
    let root = try parser.or()
    guard parser.scan.isAtEnd else {
      throw parser.scan.take(")")
        ? FilterError(
          reason: "this ) closes nothing", remedy: "leave it out",
          position: parser.scan.position - 1)
        : parser.scan.error("expected &&, || or the end of the filter")
    }
    return FilterExpression(text: text, fields: parser.fields, root: root)
  }

  /// One word that is no field.
  private static func parse(
    word: FilterWord, _ catalog: FieldCatalog
  ) throws(FilterError) -> FilterExpression {
    var parser = FilterParser(word.word, catalog)
    let root = try parser.search(word)
    var filter = FilterExpression(text: word.word, fields: parser.fields, root: root)
    filter.searched = (word, catalog)
    return filter
  }

  /// The condition that a word is somewhere.
  private mutating func search(_ word: FilterWord) throws(FilterError) -> FilterExpression.Node {
    do throws(RegularExpression.CompileError) {
      var nodes: [FilterExpression.Node] = []
      for condition in try word.conditions(in: catalog) {
        let op: FilterOperator = if case .pattern = condition.constant { .matches } else { .isIn }
        nodes.append(
          .comparison(
            FilterComparison(
              field: index(of: condition.field), op: op, constant: condition.constant)))
      }
      return .any(nodes)
    } catch {
      throw FilterError(reason: error.reason, remedy: error.remedy, position: error.position)
    }
  }

  /// A field among those that are looked at.
  private mutating func index(of field: FieldReference) -> Int {
    if let index = fields.firstIndex(of: field) { return index }
    fields.append(field)
    return fields.count - 1
  }

  private mutating func or() throws(FilterError) -> FilterExpression.Node {
    let first = try and()
    var nodes = [first]
    while scan.take("||") || scan.take(word: "or") { nodes.append(try and()) }
    return nodes.count == 1 ? first : .any(nodes)
  }

  private mutating func and() throws(FilterError) -> FilterExpression.Node {
    let first = try unary()
    var nodes = [first]
    while scan.take("&&") || scan.take(word: "and") { nodes.append(try unary()) }
    return nodes.count == 1 ? first : .all(nodes)
  }

  private mutating func unary() throws(FilterError) -> FilterExpression.Node {
    depth += 1
    defer { depth -= 1 }
    guard depth <= FilterParser.maximumDepth else {
      throw scan.error("more than \(FilterParser.maximumDepth) levels of parentheses and negations")
    }
    if scan.take("!") || scan.take(word: "not") { return .not(try unary()) }
    guard scan.take("(") else { return try test() }
    let inner = try or()
    guard scan.take(")") else { throw scan.error("expected &&, || or )") }
    return inner
  }

  private mutating func test() throws(FilterError) -> FilterExpression.Node {
    comparisons += 1
    guard comparisons <= FilterParser.maximumComparisons else {
      throw scan.error("more than \(FilterParser.maximumComparisons) comparisons")
    }
    scan.skipBlanks()
    let start = scan.position
    var ahead = scan
    if let text = ahead.wordAlone(), (try? catalog.field(text)) == nil {
      let word = FilterWord(text)
      if word.isName(in: catalog) {
        scan = ahead
        return try search(word)
      }
      if let mistake = word.mistake(in: catalog, at: start) { throw mistake }
    }
    let name = scan.name()
    guard !name.isEmpty else {
      throw scan.error("expected the name of a field", "write a field first, as in rssi > -70")
    }
    if name == "has", scan.take("(") {
      scan.skipBlanks()
      let start = scan.position
      let field = try field(scan.name(), at: start)
      guard scan.take(")") else { throw scan.error("expected ) after the name of the field") }
      return .has(field)
    }
    let index = try field(name, at: start)
    let bytes = try byteRange(of: fields[index])
    return .comparison(try comparison(index, bytes))
  }

  private mutating func field(_ name: String, at start: Int) throws(FilterError) -> Int {
    guard !name.isEmpty else { throw scan.error("expected the name of a field") }
    do throws(FieldCatalog.UnknownField) {
      return index(of: try catalog.field(name))
    } catch {
      // What is compared was meant to be a field.
      scan.skipBlanks()
      let isCompared = scan.peek.map { "=!<>~[".contains($0) } ?? false
      if !isCompared, FilterWord(name).isName(in: catalog) {
        if let field = KnownNames.all.field(ofName: scan.text) {
          throw FilterError(
            reason: "\(scan.text) is a name of several words",
            remedy: "say of what: \(field) == \"\(scan.text)\"", position: start)
        }
        throw FilterError(
          reason: "\(name) is a name, not a field",
          remedy: "join it to what else has to hold: \(name) && …", position: start)
      }
      throw FilterError(
        reason: "\(name) \(error.reason)", remedy: error.remedy, position: start,
        needsFieldList: error.remedy == nil)
    }
  }

  private mutating func comparison(
    _ index: Int, _ bytes: ByteRange?
  ) throws(FilterError) -> FilterComparison {
    let field = fields[index]
    let reader = FilterConstantReader(field: field)
    scan.skipBlanks()
    let start = scan.position
    if scan.take(word: "in") {
      return FilterComparison(
        field: index, bytes: bytes, op: .isIn, constant: try set(reader))
    }
    if scan.take(word: "not") {
      guard scan.take(word: "in") else { throw scan.error("expected in after not") }
      return FilterComparison(
        field: index, bytes: bytes, op: .isNotIn, constant: try set(reader))
    }
    guard
      let op = FilterOperator.allCases.first(where: {
        $0 != .isIn && $0 != .isNotIn && scan.take($0.rawValue)
      })
    else {
      throw missingOperator(after: field)
    }
    if op == .matches, scan.peek == "=" { throw scan.error("there is no ~=", "use ~") }
    if op == .equal, scan.peek == "=" { throw scan.error("there is no ===", "use ==") }
    try reader.check(op, at: start)
    return FilterComparison(
      field: index, bytes: bytes, op: op, constant: try reader.constant(op, &scan))
  }

  private mutating func set(
    _ reader: FilterConstantReader
  ) throws(FilterError) -> FilterConstant {
    guard scan.take("{") else { throw scan.error("expected a set such as {1, 2} after in") }
    var members: [FilterConstant] = []
    repeat {
      comparisons += 1
      guard comparisons <= FilterParser.maximumComparisons else {
        throw scan.error("more than \(FilterParser.maximumComparisons) comparisons")
      }
      members.append(try reader.member(&scan))
    } while scan.take(",")
    guard scan.take("}") else { throw scan.error("expected , or } in the set") }
    return .set(members)
  }

  private mutating func byteRange(of field: FieldReference) throws(FilterError) -> ByteRange? {
    scan.skipBlanks()
    let start = scan.position
    guard scan.take("[") else { return nil }
    guard field.kind == .hex else {
      throw FilterError(
        reason: "\(field.text) has no bytes to choose from",
        remedy: "use a field of bytes, such as data[4:2]", position: start)
    }
    let offset = try scan.integer()
    var count: Int?
    if scan.take(":") {
      count = try scan.integer()
    } else if offset != nil {
      count = 1
    }
    guard scan.take("]") else {
      throw scan.error("expected an offset and a count of bytes", "write them as in data[4:2]")
    }
    guard offset != nil || count != nil else {
      throw FilterError(
        reason: "the range is empty", remedy: "give an offset and a count, as in data[4:2]",
        position: start)
    }
    if let count, count < 1 {
      throw FilterError(
        reason: "the count of bytes is \(count)", remedy: "use at least 1, as in data[4:2]",
        position: start)
    }
    return ByteRange(offset: offset ?? 0, count: count)
  }

  /// What was probably meant, where no operator stands behind a field.
  private mutating func missingOperator(after field: FieldReference) -> FilterError {
    let start = scan.position
    let instead: [(String, String)] = [
      ("=~", "use ~"), ("=", "use =="), ("eq", "use =="), ("ne", "use !="), ("gt", "use >"),
      ("lt", "use <"), ("ge", "use >="), ("le", "use <="), ("contains", "use ~"),
      ("matches", "use ~"), ("!~", "use !(\(field.text) ~ \"…\")"),
    ]
    for (symbol, remedy) in instead {
      let isWord = symbol.allSatisfy(\.isLetter)
      if isWord ? scan.take(word: symbol) : scan.take(symbol) {
        return FilterError(
          reason: "there is no operator \(symbol)", remedy: remedy, position: start)
      }
    }
    let remedy =
      field.kind == .boolean
      ? "to ask whether it is set, write \(field.text) == true"
      : "to ask whether it is there, write has(\(field.text))"
    return FilterError(
      reason: "expected one of == != < <= > >= ~ in after \(field.text)", remedy: remedy,
      position: start)
  }
}
