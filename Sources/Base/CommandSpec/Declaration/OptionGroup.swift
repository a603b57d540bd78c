/// Options under one heading; one group can serve several commands.
public struct OptionGroup<Options: Sendable>: Sendable {
  /// The heading, such as `Options`.
  public var title: String
  /// The options in the order in which help shows them.
  public var options: [Option<Options>]
  /// Sets of long names of which at most one may be given.
  public var exclusive: [[String]]
  /// Values beside which another option means nothing.
  public var valueExclusions: [ValueExclusion] = []

  /// Options under a heading.
  public init(
    _ title: String = "Options", _ options: [Option<Options>], exclusive: [[String]] = []
  ) {
    self.title = title
    self.options = options
    self.exclusive = exclusive
  }

  /// The same group, in which each option has a variable of the environment: the prefix and its long
  /// name, as in `LUNA_TOKEN_FILE`.
  ///
  /// - Parameter exceptions: options that have none.
  public func fromEnvironment(
    _ prefix: String, except exceptions: Set<String> = []
  ) -> OptionGroup {
    var group = self
    group.options = options.map { option in
      guard !exceptions.contains(option.description.long) else { return option }
      let name = option.description.long.uppercased().map { $0 == "-" ? "_" : $0 }
      return option.fromEnvironment(prefix + "_" + String(name))
    }
    return group
  }

  /// The same group, in which an option means nothing beside a value of another one.
  public func excluding(_ other: String, beside option: String, _ value: String) -> OptionGroup {
    var group = self
    group.valueExclusions.append(ValueExclusion(option: option, value: value, other: other))
    return group
  }

  /// What help and completions know of it.
  public var description: OptionGroupDescription {
    var description = OptionGroupDescription(
      title, options.map(\.description), exclusive: exclusive)
    description.valueExclusions = valueExclusions
    return description
  }

  /// The same group for a larger value in which `Options` is one part.
  public func scoped<Outer: Sendable>(
    to part: Field<Outer, Options>
  ) -> OptionGroup<Outer> {
    var group = OptionGroup<Outer>(
      title, options.map { $0.scoped(to: part) }, exclusive: exclusive)
    group.valueExclusions = valueExclusions
    return group
  }
}
