/// Options under one heading; one group can serve several commands.
public struct OptionGroup<Options: Sendable>: Sendable {
  /// The heading, such as `Options`.
  public var title: String
  /// The options in the order in which help shows them.
  public var options: [Option<Options>]
  /// Sets of long names of which at most one may be given.
  public var exclusive: [[String]]

  /// Options under a heading.
  public init(
    _ title: String = "Options", _ options: [Option<Options>], exclusive: [[String]] = []
  ) {
    self.title = title
    self.options = options
    self.exclusive = exclusive
  }

  /// What help and completions know of it.
  public var description: OptionGroupDescription {
    OptionGroupDescription(title, options.map(\.description), exclusive: exclusive)
  }

  /// The same group for a larger value in which `Options` is one part.
  public func scoped<Outer: Sendable>(
    to part: Field<Outer, Options>
  ) -> OptionGroup<Outer> {
    OptionGroup<Outer>(title, options.map { $0.scoped(to: part) }, exclusive: exclusive)
  }
}
