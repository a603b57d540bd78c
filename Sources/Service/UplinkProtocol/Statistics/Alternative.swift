/// What a test holds against chance.
public enum Alternative: String, CaseIterable, Sendable {
  /// The statistic is smaller than chance makes it.
  case less
  /// The statistic is greater than chance makes it.
  case greater
  /// Either.
  case twoSided = "two-sided"
}
