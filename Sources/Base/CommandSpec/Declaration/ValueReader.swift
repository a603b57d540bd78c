/// Turns the text of an option or argument into a value.
public struct ValueReader<Value: Sendable>: Sendable {
  /// What a good text is, to follow "use" in a sentence: `a whole number from 1 to 9`.
  public var expects: String
  /// What to complete.
  public var hint: ValueHint
  /// Whether the text must never be repeated in an error message.
  public var isSecret = false
  /// The conversion.
  public var read: @Sendable (String) throws(ValueProblem) -> Value

  /// A conversion, with what it expects in words.
  public init(
    expects: String, hint: ValueHint = .text,
    read: @escaping @Sendable (String) throws(ValueProblem) -> Value
  ) {
    self.expects = expects
    self.hint = hint
    self.read = read
  }

  /// The value of what was given. Bytes that are no text have become U+FFFD on the way here: what they were
  /// is not known any more, so that a name would be another one, and a path that of another file.
  func take(_ text: String) throws(ValueProblem) -> Value {
    guard !text.unicodeScalars.contains("\u{FFFD}") else { throw ValueProblem("is not UTF-8") }
    return try read(text)
  }

  /// The same with a further step; `expects` says what the step wants beyond the first.
  public func map<Result>(
    expects: String? = nil,
    _ step: @escaping @Sendable (Value) throws(ValueProblem) -> Result
  ) -> ValueReader<Result> {
    let read = self.read
    var reader = ValueReader<Result>(expects: expects ?? self.expects, hint: hint) {
      text throws(ValueProblem) in try step(try read(text))
    }
    reader.isSecret = isSecret
    return reader
  }

  /// The same with other completions: for text of which some values are common.
  public func completing(_ hint: ValueHint) -> Self {
    var reader = self
    reader.hint = hint
    return reader
  }

  /// The same, but errors do not repeat the text.
  public func secret() -> Self {
    var reader = self
    reader.isSecret = true
    return reader
  }
}
