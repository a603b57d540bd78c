/// Numbers for people.
enum ShortNumber {
  /// At most three digits after the point.
  static func text(_ value: Double) -> String {
    let rounded = (value * 1000).rounded() / 1000
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
