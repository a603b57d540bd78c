/// What one term of a search asks for.
enum SearchCondition: Hashable, Sendable {
  /// Somewhere in the description.
  case word(SearchPattern)
  /// All of a field.
  case text(SearchField, SearchPattern)
  /// A number of the health report.
  case number(SearchField, SearchComparison, Double)
  /// The parts of a version.
  case version(SearchComparison, [Int])
  /// How long ago it was heard of, s.
  case seen(SearchComparison, Double)
  /// A field that has a value.
  case has(String)
  /// Degrees and metres.
  case near(latitude: Double, longitude: Double, radius: Double)
}
