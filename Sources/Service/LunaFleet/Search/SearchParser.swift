/// Reads the text of a search, character by character; columns count from 1.
struct SearchParser {
  private static let fields = [
    "picture", "place", "position", "note", "site", "tag", "tags", "ip", "mac", "manufacturer",
    "model", "version", "seen", "reason", "health",
  ]

  private let text: [Unicode.Scalar]
  private var index = 0

  init(_ text: String) throws(FleetError) {
    self.text = Array(text.unicodeScalars)
    guard self.text.count <= FleetSearch.longest else {
      throw SearchParser.mistake(
        "the search has more than \(FleetSearch.longest) characters", FleetSearch.longest + 1)
    }
  }

  private static func mistake(_ problem: String, _ column: Int) -> FleetError {
    FleetError(.search, problem, position: column)
  }

  private var next: Unicode.Scalar? { index < text.count ? text[index] : nil }

  private mutating func skipBlanks() {
    while let scalar = next, scalar.properties.isWhitespace { index += 1 }
  }

  mutating func alternatives() throws(FleetError) -> [[SearchTerm]] {
    var (alternatives, terms, count): ([[SearchTerm]], [SearchTerm], Int) = ([], [], 0)
    var lastOr = 0
    skipBlanks()
    while index < text.count {
      let column = index + 1
      if isOr {
        guard !terms.isEmpty else {
          throw SearchParser.mistake("OR stands between two terms", column)
        }
        alternatives.append(terms)
        terms = []
        lastOr = column
        index += 2
      } else {
        count += 1
        guard count <= FleetSearch.termLimit else {
          throw SearchParser.mistake(
            "the search has more than \(FleetSearch.termLimit) terms", column)
        }
        terms.append(try term())
      }
      skipBlanks()
    }
    if terms.isEmpty, lastOr > 0 {
      throw SearchParser.mistake("OR stands between two terms", lastOr)
    }
    return terms.isEmpty ? [] : alternatives + [terms]
  }

  /// Whether `OR` stands here as a word of its own.
  private var isOr: Bool {
    text[index...].starts(with: "OR".unicodeScalars)
      && (index + 2 == text.count || text[index + 2].properties.isWhitespace)
  }

  private mutating func term() throws(FleetError) -> SearchTerm {
    let isNegated = next == "-"
    let start = index
    if isNegated { index += 1 }
    guard let scalar = next, !scalar.properties.isWhitespace else {
      throw SearchParser.mistake("nothing follows the minus sign", start + 1)
    }
    return SearchTerm(condition: try condition(), isNegated: isNegated)
  }

  private mutating func condition() throws(FleetError) -> SearchCondition {
    let start = index
    guard let (field, comparison) = try fieldName() else {
      index = start
      return .word(SearchPattern(try value("a word")))
    }
    let column = index + 1
    let value = try value("a value for \(field.rawValue)")
    return try condition(field, comparison, value, column)
  }

  /// A name with a colon behind it, and the comparison that follows; nil for a word.
  private mutating func fieldName() throws(FleetError) -> (SearchField, SearchComparison)? {
    let start = index
    var end = start
    while end < text.count, text[end].properties.isAlphabetic, text[end].isASCII { end += 1 }
    guard end > start, end < text.count, text[end] == ":", !isAddress(from: start) else {
      return nil
    }
    let name = String(String.UnicodeScalarView(text[start..<end])).lowercased()
    guard let field = SearchField(rawValue: name) else {
      throw SearchParser.mistake("there is no field \(name)", start + 1)
    }
    index = end + 1
    for comparison in SearchComparison.allCases
    where text[index...].starts(with: comparison.rawValue.unicodeScalars) {
      index += comparison.rawValue.unicodeScalars.count
      return (field, comparison)
    }
    return (field, .equal)
  }

  /// Whether the word here is a MAC or an IPv6 address, whose colons belong to it.
  private func isAddress(from start: Int) -> Bool {
    let word = text[start...].prefix { !$0.properties.isWhitespace }
    return word.filter { $0 == ":" }.count >= 2
      && word.allSatisfy { $0 == ":" || $0.properties.isASCIIHexDigit }
  }

  /// A word, or what stands between quotation marks.
  private mutating func value(_ what: String) throws(FleetError) -> String {
    let start = index
    var value = String.UnicodeScalarView()
    if next == "\"" {
      index += 1
      while let scalar = next, scalar != "\"" {
        value.append(scalar)
        index += 1
      }
      guard next == "\"" else {
        throw SearchParser.mistake("the quotation mark is not closed", start + 1)
      }
      index += 1
    } else {
      while let scalar = next, !scalar.properties.isWhitespace {
        value.append(scalar)
        index += 1
      }
    }
    guard !value.isEmpty else { throw SearchParser.mistake("\(what) is missing", start + 1) }
    return String(value)
  }

  private func condition(
    _ field: SearchField, _ comparison: SearchComparison, _ value: String, _ column: Int
  ) throws(FleetError) -> SearchCondition {
    if field.isText || field == .has || field == .near, comparison != .equal {
      throw SearchParser.mistake("values of \(field.rawValue) have no order", column - 1)
    }
    switch field {
    case .has:
      let name = value.lowercased()
      guard SearchParser.fields.contains(name) else {
        throw SearchParser.mistake("no field \(value) can be there or not", column)
      }
      return .has(name == "tags" ? "tag" : name)
    case .near: return try SearchParser.near(value, column)
    case .seen: return .seen(comparison, try SearchParser.seconds(value, column))
    case .queue, .packets:
      guard let number = Double(value), number.isFinite else {
        throw SearchParser.mistake("\(field.rawValue) is compared with a number", column)
      }
      return .number(field, comparison, number)
    case .version where comparison == .equal:
      // As it is written, unless it is a pattern for the beginning.
      guard SearchPattern(value).isPlain else { return .text(.version, SearchPattern(value)) }
      return .version(.equal, try SearchParser.version(value, column))
    case .version: return .version(comparison, try SearchParser.version(value, column))
    default:
      let pattern = SearchPattern(value)
      if let words = field.words, !words.contains(where: { pattern.isWhole(Array($0.utf8)) }) {
        throw SearchParser.mistake(
          "\(field.rawValue) is \(words.joined(separator: ", "))", column)
      }
      return .text(field, pattern)
    }
  }

  private static func version(_ value: String, _ column: Int) throws(FleetError) -> [Int] {
    let parts = value.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.utf8.count <= 9 && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    guard numbers.count == parts.count else {
      throw mistake("a version is numbers with dots between", column)
    }
    return numbers
  }

  private static func seconds(_ value: String, _ column: Int) throws(FleetError) -> Double {
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let last = value.last, let unit = units[last], let number = Double(value.dropLast()),
      number.isFinite, number >= 0
    else { throw mistake("seen is compared with a time such as 90s, 5m, 1h or 7d", column) }
    return number * unit
  }

  private static func near(_ value: String, _ column: Int) throws(FleetError) -> SearchCondition {
    let numbers = value.split(separator: ",", omittingEmptySubsequences: false).map {
      Double(String($0).filter { $0 != " " })
    }
    guard numbers.count == 3, let latitude = numbers[0], let longitude = numbers[1],
      let radius = numbers[2], (-90...90).contains(latitude), (-180...180).contains(longitude),
      radius >= 0, radius.isFinite
    else { throw mistake("near is LATITUDE,LONGITUDE,METRES", column) }
    return .near(latitude: latitude, longitude: longitude, radius: radius)
  }
}
