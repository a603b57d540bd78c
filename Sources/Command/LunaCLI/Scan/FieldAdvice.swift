import Diagnosis
import LunaDocuments

/// What to do about a name that means no field, where none is near it.
private let listOfFields = "see 'luna scan --help' for the names of the fields"

extension FilterError {
  /// What to do; nil where the reason says it.
  var advice: String? { needsFieldList ? listOfFields : remedy?.description }

  /// One line: what and what to do.
  var text: String { reason + (advice.map { "; \($0)" } ?? "") }
}

extension FieldCatalog.UnknownField {
  /// What to do.
  var advice: String { remedy ?? listOfFields }
}
