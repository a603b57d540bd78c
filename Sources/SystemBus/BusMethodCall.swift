/// A method that somebody calls on an object of ours.
public struct BusMethodCall: Sendable {
  /// The object.
  public let path: String
  /// The interface; empty when the caller named none.
  public let interface: String
  /// The method.
  public let member: String
  /// The arguments.
  public let arguments: [BusValue]
}
