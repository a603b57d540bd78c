public import LunaCore
public import LunaOwner

// The generic names of the SDK once more, for programs that have others of the same name. The module and
// this type are both called `Luna`, so that `Luna.Event` can only mean one of its members.
extension Luna {
  /// Where a tracker was heard.
  public typealias Event = LunaOwner.Event
  /// One's own device.
  public typealias Device = LunaCore.Device
  /// Takes messages.
  public typealias Logger = LunaCore.Logger
  /// How important a message is.
  public typealias LogLevel = LunaCore.LogLevel
}
