/// From where on a rule takes two replays for different.
public struct OriginalSettings: Hashable, Sendable {
  /// The defaults of Wehe's apps.
  public static let standard = OriginalSettings()
  /// Those of its server.
  static let server = (area: 0.1, p: 0.05)
  /// What takes the place of the usual area on fast links.
  static let fastArea = 0.3
  /// From here on a link is fast, Mbit/s.
  static let fast = 10.0

  /// The difference of the means by the larger one.
  public var area = 0.5
  /// The probability of Kolmogorov and Smirnov's test.
  public var p = 0.01
  /// The share of halves that agree with the whole.
  public var ratio = 0.95
  /// Whether they are the defaults where they are the same.
  public var areDefaults = true

  /// The defaults.
  public init() {}

  /// The area that counts for replays of these means, Mbit/s. The two clients differ where a mean is 10
  /// exactly.
  func area(for rule: OriginalRule, _ original: Double, _ control: Double) -> Double {
    let fastest = max(original, control)
    let isFast =
      switch rule {
      case .ios: area == OriginalSettings.standard.area && fastest >= OriginalSettings.fast
      case .java: self == .standard && fastest > OriginalSettings.fast
      case .server: false
      }
    return isFast ? OriginalSettings.fastArea : area
  }

  /// Takes a test for one of those that are to follow in a run: until it ends, the client in Java keeps the area of a
  /// fast link.
  package mutating func follow(_ test: ReplayComparison, by rule: OriginalRule) {
    guard rule == .java, test.judgement != nil else { return }
    let means = (Samples.mean(test.original.held), Samples.mean(test.control.held))
    area = self.area(for: rule, means.0, means.1)
  }
}
