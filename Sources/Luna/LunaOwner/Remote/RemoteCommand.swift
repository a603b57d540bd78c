public import LunaCore
public import LunaProtocol

/// A command that was left at a backend for any gateway that hears the tracker.
public struct RemoteCommand: Hashable, Sendable {
  /// Which device it is for.
  public let device: DeviceUUID
  /// Names it at the backend.
  public let requestID: String
  /// The packages, one of which is executed.
  public let packages: [ControlPackage]
  /// How far it is.
  public internal(set) var status: CommandStatus
  /// What the tracker's answer proves, once there is one: it is from the tracker, or why not.
  public internal(set) var receipt: Result<Receipt, ReceiptRejection>?

  /// How often it was made anew, because the tracker had seen a newer command meanwhile.
  public internal(set) var reissues = 0

  /// Whether it is over.
  public var isFinal: Bool { !status.isOpen }

  /// Whether the tracker has proven that it did what was asked for.
  public var isProven: Bool {
    if case .success(let receipt)? = receipt { receipt.status == .done } else { false }
  }
}
