import Bluetooth
import SafeText

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

  /// Whether a family, a kind of device or a company is called so or has that among the words of its name, or it
  /// looks like the part of an address.
  func isName(in catalog: FieldCatalog) -> Bool {
    guard (try? catalog.field("beacon")) != nil, lower.utf8.count > 2 else { return false }
    if word.utf8.contains(UInt8(ascii: ":")) { return FilterConstant.digits(word) != nil }
    let families = FieldVocabulary("beacon")?.words ?? []
    return families.contains { $0.isCalled(lower) }
      || (families.flatMap { [$0.value, $0.title ?? ""] } + CompanyIdentifier.allNames)
        .contains { name in
          name.lowercased().split { !$0.isLetter && !$0.isNumber }.contains { $0 == lower }
        }
  }

  /// Whether a family, a kind of device or a company has it in its name, or an address can have it in it.
  private func isKnown(in catalog: FieldCatalog) -> Bool {
    guard (try? catalog.field("beacon")) != nil else { return false }
    if FieldVocabulary("beacon")?.words.contains(where: { $0.contains(lower) }) ?? false {
      return true
    }
    if CompanyIdentifier.allNames.contains(where: {
      $0.lowercased().firstRange(ofText: lower) != nil
    }) {
      return true
    }
    return word.utf8.count > 1 && FilterConstant.digits(word) != nil
  }

  /// What to say where nothing is called so.
  func note(in catalog: FieldCatalog) -> String? {
    guard (try? catalog.field("beacon")) != nil, !isKnown(in: catalog) else { return nil }
    let names =
      (FieldVocabulary("beacon")?.names ?? []) + (catalog.top + catalog.items).map(\.name)
      + CompanyIdentifier.allNames.map { CompanyName.withoutLegalForm($0) }
    let nearest = Suggestion.nearest(to: word, among: names).map { "; did you mean \($0)?" } ?? ""
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
