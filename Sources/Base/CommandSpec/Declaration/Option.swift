/// An option, and where in `Options` what it says goes.
public struct Option<Options: Sendable>: Sendable {
  /// What help and completions know of it.
  public var description: OptionDescription
  /// What a good value is, to follow "use" in a sentence.
  var expects = ""
  /// Puts what was given into its place.
  var apply: @Sendable (inout Options, Given) throws(ValueProblem) -> Void

  /// An option whose effect is not just a value in its place.
  public init(
    _ description: OptionDescription, expects: String = "",
    apply: @escaping @Sendable (inout Options, Given) throws(ValueProblem) -> Void
  ) {
    self.description = description
    self.expects = expects
    self.apply = apply
  }

  /// `--name`: sets the place to true.
  public static func flag(
    _ long: String, short: Character? = nil, _ help: String,
    _ place: Field<Options, Bool>
  ) -> Self {
    flag(long, short: short, help, place, to: true)
  }

  /// `--name`: puts this value into the place; for flags of which one of several holds.
  public static func flag<Value: Sendable>(
    _ long: String, short: Character? = nil, _ help: String,
    _ place: Field<Options, Value>, to value: Value
  ) -> Self {
    Self(OptionDescription(long, short: short, help, form: .flag)) { options, given in
      if given == .on { options[keyPath: place] = value }
    }
  }

  /// `--name` and `--no-name`: sets the place to true or false.
  public static func negatableFlag(
    _ long: String, short: Character? = nil, _ help: String,
    _ place: Field<Options, Bool>
  ) -> Self {
    Self(OptionDescription(long, short: short, help, form: .negatableFlag)) { options, given in
      options[keyPath: place] = given == .on
    }
  }

  /// `-v -v`, `-vv`: adds one each time.
  public static func count(
    _ long: String, short: Character? = nil, _ help: String,
    _ place: Field<Options, Int>
  ) -> Self {
    Self(OptionDescription(long, short: short, help, form: .count)) { options, given in
      if given == .on { options[keyPath: place] &+= 1 }
    }
  }

  /// `--name VALUE`: puts the value into the place; the last one given holds.
  public static func value<Value: Sendable>(
    _ long: String, short: Character? = nil, _ placeholder: String, _ help: String,
    _ place: Field<Options, Value>, _ reader: ValueReader<Value>
  ) -> Self {
    reading(long, short, placeholder, help, reader) { $0[keyPath: place] = $1 }
  }

  /// `--name VALUE`: puts the value into a place that is nil as long as none is given.
  public static func value<Value: Sendable>(
    _ long: String, short: Character? = nil, _ placeholder: String, _ help: String,
    _ place: Field<Options, Value?>, _ reader: ValueReader<Value>
  ) -> Self {
    reading(long, short, placeholder, help, reader) { $0[keyPath: place] = $1 }
  }

  /// `--name VALUE --name VALUE`: appends each to the place.
  public static func repeated<Value: Sendable>(
    _ long: String, short: Character? = nil, _ placeholder: String, _ help: String,
    _ place: Field<Options, [Value]>, _ reader: ValueReader<Value>
  ) -> Self {
    var option = reading(long, short, placeholder, help, reader) {
      $0[keyPath: place].append($1)
    }
    option.description.isRepeatable = true
    return option
  }

  /// The same, and the command cannot do without it.
  public func required() -> Self {
    var option = self
    option.description.isRequired = true
    return option
  }

  /// The same, and a command line that has it twice is refused: for what is worked on, as files, all of which
  /// the person means. Of settings the last one holds, so that an alias can be overridden.
  public func once() -> Self {
    var option = self
    option.description.isGivenOnce = true
    return option
  }

  /// The same, with words for what holds when it is not given.
  public func defaulting(to text: String) -> Self {
    var option = self
    option.description.defaultText = text
    return option
  }

  /// The same, which may stand alone and has this value then: `--name`, `--name=VALUE`, and `--name VALUE`
  /// where the command has no arguments that the word could be.
  public func implying(_ value: String) -> Self {
    var option = self
    option.description.impliedValue = value
    return option
  }

  /// The same, and a variable of the environment gives its value when the command line does not; the
  /// configuration file comes after it. An empty variable counts as none.
  /// Flags take what they take in a file.
  public func fromEnvironment(_ variable: String) -> Self {
    var option = self
    option.description.variable = variable
    return option
  }

  /// The same, left out of help and completions.
  public func hidden() -> Self {
    var option = self
    option.description.isHidden = true
    return option
  }

  /// A key of configuration files that no command line has, and help keeps quiet about. Several things can
  /// each have it, in a section `[COMMAND NAME]`.
  ///
  /// - Parameter store: puts a value into its place; with the name of the section, nil for that of the
  ///   command itself.
  public static func key<Value: Sendable>(
    _ long: String, _ placeholder: String, _ help: String, _ reader: ValueReader<Value>,
    store: @escaping @Sendable (inout Options, String?, Value) -> Void
  ) -> Self {
    var description = OptionDescription(
      long, help, form: .value(placeholder: placeholder, hint: reader.hint))
    description.isSecret = reader.isSecret
    description.isHidden = true
    description.isOnlyInFiles = true
    description.takesName = true
    description.isRepeatable = true
    return Self(description, expects: reader.expects) { options, given throws(ValueProblem) in
      switch given {
      case .text(let text): store(&options, nil, try reader.take(text))
      case .named(let name, let text): store(&options, name, try reader.take(text))
      case .on, .off: break
      }
    }
  }

  /// The same option of a larger value in which `Options` is one part.
  public func scoped<Outer: Sendable>(
    to part: Field<Outer, Options>
  ) -> Option<Outer> {
    let apply = self.apply
    return Option<Outer>(description, expects: expects) {
      outer, given throws(ValueProblem) in try apply(&outer[keyPath: part], given)
    }
  }

  private static func reading<Value: Sendable>(
    _ long: String, _ short: Character?, _ placeholder: String, _ help: String,
    _ reader: ValueReader<Value>, store: @escaping @Sendable (inout Options, Value) -> Void
  ) -> Self {
    var description = OptionDescription(
      long, short: short, help, form: .value(placeholder: placeholder, hint: reader.hint))
    description.isSecret = reader.isSecret
    return Self(description, expects: reader.expects) { options, given throws(ValueProblem) in
      if case .text(let text) = given { store(&options, try reader.take(text)) }
    }
  }
}
