/// What an advertiser has opened.
public struct AdvertiserSummary: Hashable, Sendable {
  /// The path and the adapter, such as `exclusive:hci0`.
  public var name: String
  /// Whether there is no radio.
  public var simulated: Bool
  /// What it does, and why so, in one clause.
  public var explanation: String
  /// In what the air differs from what is asked for, a clause each.
  public var deviations: [String]

  /// A summary of these parts.
  public init(
    name: String, simulated: Bool = false, explanation: String, deviations: [String] = []
  ) {
    self.name = name
    self.simulated = simulated
    self.explanation = explanation
    self.deviations = deviations
  }
}
