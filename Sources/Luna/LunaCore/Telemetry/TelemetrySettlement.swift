/// What became of things that were sent.
public struct TelemetrySettlement: Hashable, Sendable {
  /// Those that the backend has; they leave the queue.
  public var stored: [Int64]
  /// Those that it will never take, with its codes; they are set aside.
  public var refused: [Int64: String]

  /// A settlement by numbers of the queue; what is in neither is sent again.
  public init(stored: [Int64] = [], refused: [Int64: String] = [:]) {
    self.stored = stored
    self.refused = refused
  }
}
