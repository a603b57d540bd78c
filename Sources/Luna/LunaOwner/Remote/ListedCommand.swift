public import LunaCore

/// A command that is or was at a backend, as it is listed there: without its packages, so that an answer of the
/// tracker is not verified.
public struct ListedCommand: Sendable {
  /// Which device it is for; nil when it is none of those in the store.
  public let device: Device?
  /// How far it is.
  public let status: CommandStatus

  /// A command of a device.
  public init(device: Device?, status: CommandStatus) {
    self.device = device
    self.status = status
  }
}
