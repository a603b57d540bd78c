/// What a table calls what it shows.
public struct TableWords: Sendable, Equatable {
  /// One and several.
  public typealias Noun = (one: String, many: String)

  /// What a row is.
  public var row: Noun
  /// What a marked row is.
  public var marked: Noun
  /// What the rates of all rows add up to, such as `packets/s`.
  public var rate: String
  /// What stands where there are no rows.
  public var nothing: String
  /// Words that one could look for.
  public var example: String

  /// The words of a table.
  public init(row: Noun, marked: Noun, rate: String, nothing: String, example: String) {
    self.row = row
    self.marked = marked
    self.rate = rate
    self.nothing = nothing
    self.example = example
  }

  static func counted(_ count: Int, _ noun: Noun) -> String {
    "\(count) \(count == 1 ? noun.one : noun.many)"
  }

  /// Equal when all words are.
  public static func == (left: TableWords, right: TableWords) -> Bool {
    left.row == right.row && left.marked == right.marked && left.rate == right.rate
      && left.nothing == right.nothing && left.example == right.example
  }
}
