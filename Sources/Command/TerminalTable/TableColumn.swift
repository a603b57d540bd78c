/// A column of the live table.
public struct TableColumn: Sendable, Equatable {
  /// When a column makes room for others.
  public struct Yield: Sendable, Equatable {
    /// The lowest goes first.
    public var rank: Int
    /// It goes where less than this is left for the columns without a width of their own.
    public var enough: Int

    /// A place in the order in which columns go.
    public init(rank: Int, enough: Int) {
      self.rank = rank
      self.enough = enough
    }
  }

  /// What stands above it.
  public var title: String
  /// How many characters it has, with room for an arrow where rows can be sorted by it; nil where it
  /// takes what is left. At most two columns do, one beside the other, the first of all.
  public var width: Int?
  /// Whether its values stand at the right.
  public var isNumber: Bool
  /// Whether rows can be sorted by it; the keys 1, 2, … choose among those.
  public var isSortable: Bool
  /// Whether words that are typed are looked for in it.
  public var isSearched: Bool
  /// Whether the heading of the details begins with it, as what names a row.
  public var isName: Bool
  /// What stands for a value that is not there.
  public var placeholder: String
  /// How its values look.
  public var look: TableLook
  /// When it makes room; nil for one that always stays.
  public var yields: Yield?
  /// Whether it stays longest among those that make room.
  public var isKept: Bool

  /// A column; one without a `width` takes what is left.
  public init(
    _ title: String, width: Int? = nil, isNumber: Bool = false, isSortable: Bool = false,
    isSearched: Bool = false, isName: Bool = false, placeholder: String = "",
    look: TableLook = .plain, yields: Yield? = nil, isKept: Bool = false
  ) {
    self.title = title
    self.width = width
    self.isNumber = isNumber
    self.isSortable = isSortable
    self.isSearched = isSearched
    self.isName = isName
    self.placeholder = placeholder
    self.look = look
    self.yields = yields
    self.isKept = isKept
  }
}
