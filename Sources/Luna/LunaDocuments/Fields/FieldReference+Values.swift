import Bluetooth

extension FieldReference {
  /// All values that the field can have, as its document spells them; nil where any will do.
  package var values: [String]? {
    switch kind {
    case .word: FieldVocabulary(name)?.words.map(\.value)
    case .boolean: ["true", "false"]
    case .company: CompanyIdentifier.allNames
    case .text, .number, .hex, .time, .map: nil
    }
  }
}
