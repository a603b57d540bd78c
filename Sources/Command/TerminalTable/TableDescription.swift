/// What a live table shows: its columns, its words, and how its rows can be filtered.
public struct TableDescription: Sendable {
  /// The columns in their order.
  public var columns: [TableColumn]
  /// The column that rows are sorted by at first, by its place in ``columns`` from 0.
  public var order: Int
  /// What the levels lie between.
  public var scale: TableScale
  /// What everything is called.
  public var words: TableWords
  /// The language of expressions; nil where there are only words.
  public var language: TableLanguage?

  /// A table.
  ///
  /// - Parameter order: the column that rows are sorted by at first, by its place from 0.
  public init(
    columns: [TableColumn], order: Int, scale: TableScale, words: TableWords,
    language: TableLanguage? = nil
  ) {
    self.columns = columns
    self.order = order
    self.scale = scale
    self.words = words
    self.language = language
  }

  /// The columns that rows can be sorted by.
  var sortable: [Int] { columns.indices.filter { columns[$0].isSortable } }

  /// The columns that name a row.
  var names: [Int] { columns.indices.filter { columns[$0].isName } }

  /// Where words are looked for: `WHAT, NAME or ADDRESS`.
  var searched: String {
    let titles = names.map { columns[$0].title }
    guard let last = titles.last, titles.count > 1 else { return titles.first ?? "" }
    return titles.dropLast().joined(separator: ", ") + " or " + last
  }
}
