/// A word that is no option, and where in `Options` it goes.
public struct Argument<Options: Sendable>: Sendable {
  /// What help and completions know of it.
  public var description: ArgumentDescription
  /// What a good word is, to follow "use" in a sentence.
  var expects: String
  var isSecret: Bool
  /// Puts a word into its place.
  var apply: @Sendable (inout Options, String) throws(ValueProblem) -> Void

  /// A word that must be there.
  public static func required<Value: Sendable>(
    _ placeholder: String, _ help: String,
    _ place: Field<Options, Value>, _ reader: ValueReader<Value>
  ) -> Self {
    reading(placeholder, help, .required, reader) { $0[keyPath: place] = $1 }
  }

  /// A word that may be there; the place is nil without it.
  public static func optional<Value: Sendable>(
    _ placeholder: String, _ help: String,
    _ place: Field<Options, Value?>, _ reader: ValueReader<Value>
  ) -> Self {
    reading(placeholder, help, .optional, reader) { $0[keyPath: place] = $1 }
  }

  /// All words that are left.
  public static func repeated<Value: Sendable>(
    _ placeholder: String, _ help: String, atLeast: Int = 0,
    _ place: Field<Options, [Value]>, _ reader: ValueReader<Value>
  ) -> Self {
    reading(placeholder, help, .repeated(atLeast: atLeast), reader) {
      $0[keyPath: place].append($1)
    }
  }

  /// The same, of which the words before the last one are another thing, as in `[NAME ...] FILE`.
  package func after(_ leading: String) -> Self {
    var argument = self
    argument.description.leading = leading
    return argument
  }

  private static func reading<Value: Sendable>(
    _ placeholder: String, _ help: String, _ presence: ArgumentDescription.Presence,
    _ reader: ValueReader<Value>, store: @escaping @Sendable (inout Options, Value) -> Void
  ) -> Self {
    Self(
      description: ArgumentDescription(placeholder, help, presence, hint: reader.hint),
      expects: reader.expects, isSecret: reader.isSecret,
      apply: { options, word throws(ValueProblem) in store(&options, try reader.take(word)) })
  }
}
