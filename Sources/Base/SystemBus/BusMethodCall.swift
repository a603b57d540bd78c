/// A method that somebody calls on an object of ours.
public struct BusMethodCall: Sendable {
  /// What ``BusConnection/reply(_:to:)`` answers a call by that was not answered at once.
  public struct Token: Hashable, Sendable {
    let number: UInt64
  }

  /// Stands for the call.
  public let token: Token
  /// Who calls: a unique name.
  public let sender: String
  /// The object.
  public let path: String
  /// The interface; empty when the caller named none.
  public let interface: String
  /// The method.
  public let member: String
  /// The arguments.
  public let arguments: [BusValue]
}
