/// What kind of value a field has: how a filter compares it.
public enum FieldKind: Sendable, Equatable {
  /// Text, compared letter by letter.
  case text
  /// One of a few words, compared without case.
  case word
  /// A number.
  case number
  /// `true` or `false`.
  case boolean
  /// Bytes, an address or a UUID: hexadecimal digits, compared without case.
  case hex
  /// RFC 3339. A filter takes times as people give them: `yesterday 09:00`, `24h`.
  case time
  /// The name of a company, compared without case, and with or without its legal form.
  case company
  /// An object whose keys are data, such as `serviceData`, with bytes as values.
  case map
}
