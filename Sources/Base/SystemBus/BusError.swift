public import Diagnosis
public import SafeText

/// A D-Bus call that did not succeed, or a bus that cannot be reached.
public struct BusError: Diagnosed, CustomStringConvertible, Hashable {
  /// The D-Bus name of the error: `org.bluez.Error.NotReady`.
  public let name: String
  /// What the other side says about it.
  public let message: ForeignText
  /// What was being done: the method, or `connect`.
  public let operation: String

  /// An error with its D-Bus name.
  public init(name: String, message: String, operation: String) {
    self.name = name
    self.message = ForeignText(message)
    self.operation = operation
  }

  /// The connection is closed, or the bus is gone.
  public static let disconnected = "org.freedesktop.DBus.Error.Disconnected"
  /// No answer came in time, or the other side went away.
  public static let noReply = "org.freedesktop.DBus.Error.NoReply"
  /// The policy of the bus forbids it.
  public static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
  /// Nobody owns the name that was called.
  public static let serviceUnknown = "org.freedesktop.DBus.Error.ServiceUnknown"
  /// There is no such object.
  public static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
}

extension BusError {
  /// The operation, the name and the message.
  public var diagnosis: Diagnosis {
    Diagnosis(message.isEmpty ? name : "\(name): \(message)", during: operation)
  }
}
