/// How an adapter of a gateway is.
public struct AdapterHealth: Hashable, Sendable {
  /// What it does; the words of the wire.
  public enum State: String, CaseIterable, Sendable {
    /// It hears what is around.
    case scanning
    /// It is there and not asked for.
    case idle
    /// It is switched off.
    case off
    /// It has failed and did not come back.
    case lost
    /// It has failed and is being brought back.
    case recovering
  }

  /// The kernel's name of it, `hci0`; the kind of radio path where it is no adapter of the kernel.
  public let id: String
  /// What it does now.
  public let state: State
  /// How many packets a second it delivers.
  public let packetsPerSecond: Double?

  /// How an adapter is; `packetsPerSecond` is nil where nothing was counted.
  public init(id: String, state: State, packetsPerSecond: Double? = nil) {
    self.id = id
    self.state = state
    self.packetsPerSecond = packetsPerSecond
  }
}
