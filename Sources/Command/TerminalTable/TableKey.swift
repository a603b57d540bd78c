/// What the rows of a column are compared by.
enum TableKey: Comparable {
  case number(Double)
  case text(String)
}
