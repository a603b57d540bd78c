import Bluetooth
import SafeText

/// The names that a word of a filter can mean: of families, of kinds of devices, of companies. They are found once,
/// since words are looked for with each key that somebody presses.
struct KnownNames: Sendable {
  static let all = KnownNames()

  /// Families and kinds of devices.
  private let things: [String]
  /// Companies, without their legal forms.
  private let companies: [String]
  /// All names in full, in lower case.
  private let whole: [String]
  /// The words of these names, and those names that are one word.
  private let words: Set<String>

  private init() {
    things = FieldVocabulary("beacon")?.names ?? []
    let inFull = CompanyIdentifier.allNames
    companies = inFull.map { CompanyName.withoutLegalForm($0) }
    whole = (things + inFull).map { $0.lowercased() }
    var words = Set(whole)
    for name in whole {
      for word in name.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
        words.insert(String(word))
      }
    }
    self.words = words
  }

  /// Whether a name is called so, or has this among its words.
  ///
  /// - Parameter word: in lower case.
  func has(word: String) -> Bool { words.contains(word) }

  /// Whether a name has this in it.
  ///
  /// - Parameter part: in lower case.
  func has(part: String) -> Bool { whole.contains { $0.firstRange(ofText: part) != nil } }

  /// The field that has things called so, by all words of their name; nil for none.
  func field(ofName name: String) -> String? {
    if FieldVocabulary("beacon")?.value(of: name) != nil { return "beacon" }
    return CompanyName.all(calledLike: name).isEmpty ? nil : "company"
  }

  /// What was probably meant by a mistyped word: a name, or a field; nil where nothing is near enough.
  func nearest(to word: String, orFieldOf catalog: FieldCatalog) -> String? {
    let fields = (catalog.top + catalog.items).map(\.name)
    return Suggestion.nearest(to: word, among: things + fields + companies)
  }
}
