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
  /// The object path of ours that it is called on.
  public let path: String
  /// The interface; empty when the caller named none.
  public let interface: String
  /// The name of the method, without the interface.
  public let member: String
  /// What the caller gave, in its order; of any types and number, since anybody may call.
  public let arguments: [BusValue]
}
