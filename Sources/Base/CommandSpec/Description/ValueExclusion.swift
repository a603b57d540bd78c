/// A value of an option beside which another option means nothing.
public struct ValueExclusion: Sendable, Hashable {
  /// The long name of the option that has the value.
  public var option: String
  /// The value. With more behind a colon it is the same: `virtual` is also `virtual:7`.
  public var value: String
  /// The long name of the option that means nothing then.
  public var other: String

  /// Whether a text is the value.
  func means(_ text: String?) -> Bool {
    text == value || text?.hasPrefix(value + ":") == true
  }

  /// Whether what is said of one of the options is excluded by what is said of the other.
  func excludes(_ option: String, _ text: String?, beside occurrence: Occurrence) -> Bool {
    (option == other && occurrence.option == self.option && means(occurrence.text))
      || (option == self.option && means(text) && occurrence.option == other)
  }
}
