/// Two identifiers that were taken as one tracker.
public struct WatchLink: Sendable {
  /// The one that was heard first.
  public let from: WatchIdentifier
  /// The one after it.
  public let to: WatchIdentifier
  /// How sure that is.
  public let confidence: Double
}
