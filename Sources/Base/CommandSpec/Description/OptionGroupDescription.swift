/// Options that belong together, under one heading in help.
public struct OptionGroupDescription: Sendable, Equatable {
  /// The heading, such as `Options`.
  public var title: String
  /// The options in the order in which help shows them.
  public var options: [OptionDescription]
  /// Sets of long names of which at most one may be given.
  public var exclusive: [[String]]
  /// Values beside which another option means nothing.
  public var valueExclusions: [ValueExclusion] = []

  /// Options under a heading.
  public init(_ title: String, _ options: [OptionDescription], exclusive: [[String]] = []) {
    self.title = title
    self.options = options
    self.exclusive = exclusive
  }
}
