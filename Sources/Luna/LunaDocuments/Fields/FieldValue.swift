/// The value of a field, for comparing and for columns.
package enum FieldValue: Equatable, Sendable {
  case text(String)
  case number(Double)
  case boolean(Bool)
  /// Bytes, an address or a UUID.
  case hex(String)
  /// The name of a company.
  case company(String)

  /// As it stands in a CSV column.
  package var columnText: String {
    switch self {
    case .text(let text), .hex(let text), .company(let text): text
    case .boolean(let value): value ? "true" : "false"
    case .number(let value):
      // Integers, which nearly all are, without a fraction.
      value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }
  }
}
