/// What a value of the file may be. The reader, the JSON Schema and the documentation come from it.
indirect enum Shape: Sendable {
  /// Any value.
  case any
  case bool
  /// true, and nothing else.
  case yes
  case integer(ClosedRange<Int64>)
  case number(ClosedRange<Double>)
  case text(TextForm)
  /// One of some words.
  case choice([String])
  case list(Shape, atLeast: Int = 0)
  case object(Members)
  /// An object with names of its author's.
  case map(Shape)
  /// An object with exactly one of these members.
  case one([Key])
  /// A value of one of several types; no two are of the same.
  case either([Shape])
  /// A reference to a secret, never the secret itself.
  case secret(allowsText: Bool = false)
  /// One of ``HomeKeys/named``, for what stands in itself.
  case named(String)

  /// An object whose members do not depend on each other.
  static func object(_ keys: [Key]) -> Shape { .object(Members(keys)) }
}
