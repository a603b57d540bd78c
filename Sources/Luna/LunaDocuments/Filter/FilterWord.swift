import Bluetooth

/// A word of a filter that is no field: it is searched in what people call things.
struct FilterWord {
  /// Where it is searched, as far as the document has these fields.
  private static let places = ["beacon", "company", "name", "address", "device"]

  let word: String
  private let lower: String

  init(_ word: String) {
    self.word = word
    lower = word.lowercased()
  }

  /// The conditions of which one has to hold, each with the name of its field.
  func conditions(
    in catalog: FieldCatalog
  ) throws(RegularExpression.CompileError) -> [(field: FieldReference, constant: FilterConstant)] {
    let pattern = try RegularExpression(FilterWord.expression(lower))
    var conditions: [(field: FieldReference, constant: FilterConstant)] = []
    for place in FilterWord.places {
      guard let field = try? catalog.field(place) else { continue }
      let words = FieldVocabulary(place)?.words.filter { $0.contains(lower) } ?? []
      if field.kind != .word {
        conditions.append((field, .pattern(pattern)))
      } else if !words.isEmpty {
        conditions.append((field, .set(words.map { .text($0.value) })))
      }
    }
    return conditions
  }

  /// Whether a document has things that are called by known names.
  private static func hasNames(_ catalog: FieldCatalog) -> Bool {
    (try? catalog.field("beacon")) != nil
  }

  /// Whether a family, a kind of device or a company is called so or has that among the words of its name, or it
  /// looks like the part of an address.
  func isName(in catalog: FieldCatalog) -> Bool {
    guard FilterWord.hasNames(catalog), lower.utf8.count > 2 else { return false }
    if word.utf8.contains(UInt8(ascii: ":")) { return FilterConstant.digits(word) != nil }
    return KnownNames.all.has(word: lower)
  }

  /// What is wrong with it beside other conditions, where it is no field and no name; nil where only fields have
  /// names.
  func mistake(in catalog: FieldCatalog, at position: Int) -> FilterError? {
    guard FilterWord.hasNames(catalog) else { return nil }
    let nearest = KnownNames.all.nearest(to: word, orFieldOf: catalog)
    return FilterError(
      reason: "\(word) is neither a field nor a known name",
      remedy: nearest.map { "did you mean \($0)?" }, position: position,
      needsFieldList: nearest == nil)
  }

  /// What to say where no family, kind of device or company has it in its name, and no address can have it in it.
  func note(in catalog: FieldCatalog) -> String? {
    let isPartOfAddress = word.utf8.count > 1 && FilterConstant.digits(word) != nil
    guard FilterWord.hasNames(catalog), !isPartOfAddress, !KnownNames.all.has(part: lower)
    else { return nil }
    let nearest =
      KnownNames.all.nearest(to: word, orFieldOf: catalog)
      .map { "; did you mean \($0)?" } ?? ""
    return "no family, kind of device or company is called \(word): it is searched in names and "
      + "addresses\(nearest)"
  }

  /// The word as an expression that ignores case. Digits of an address need no colons.
  private static func expression(_ word: String) -> String {
    let isHex = word.utf8.count > 3 && word.utf8.allSatisfy { Hex.value(of: $0) != nil }
    var expression = "(?i)"
    for (index, character) in word.enumerated() {
      if isHex, index > 0 { expression += ":?" }
      expression += character == "." ? "\\." : String(character)
    }
    return expression
  }
}
