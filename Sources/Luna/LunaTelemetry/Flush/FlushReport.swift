public import LunaCore

/// What came of sending everything that waits.
public struct FlushReport: Hashable, Sendable {
  /// Items that the backend has now.
  public var accepted = 0
  /// Items that it had already.
  public var duplicates = 0
  /// Items that it will never take.
  public var setAside = 0
  /// Samples of health that it has now.
  public var samples = 0
  /// Whether it knows how the gateway is now.
  public var sentHealth = false
  /// What waits still.
  public var waiting = 0
  /// Whether nobody is signed in.
  public var isSignedOut = false
  /// Why not everything was sent; nil when it was.
  public var problem: BackendError?

  /// Nothing was sent.
  public init() {}
}
