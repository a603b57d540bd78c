import Bluetooth
import SafeText
import SystemBus

/// What bluetoothd's errors mean. It has few names and many texts; the texts are those of BlueZ
/// 5.66 (src/error.c, src/error.h, src/device.c, src/gatt-client.c) and, where those pass on an
/// errno, of strerror.
enum DaemonFault {
  /// The error of a call of a method of Device1.
  static func connecting(_ error: BusError) -> GATTError {
    GATTError(connectKind(error), during: "connect", "bluetoothd says: \(text(error))")
  }

  /// The error of a call of a method of GattCharacteristic1.
  static func operation(_ error: BusError, during operation: String) -> GATTError {
    let (kind, code) = operationKind(error)
    return GATTError(
      kind, during: operation,
      kind == .timedOut ? "no answer in time" : "bluetoothd says: \(text(error))",
      attributeError: code)
  }

  private static func text(_ error: BusError) -> String {
    error.message.isEmpty ? error.name : "\(error.message.limited(to: 300))"
  }

  private static func connectKind(_ error: BusError) -> GATTError.Kind {
    if let kind = commonKind(error) { return kind }
    switch error.name {
    case "org.bluez.Error.Failed", "org.bluez.Error.NotAvailable":
      // They are LE errors under the name of the other bearer, too: br-connection-canceled.
      for prefix in ["le-connection-", "br-connection-"] where error.message.raw.hasPrefix(prefix) {
        return connectKind(reason: error.message.raw.dropFirst(prefix.count))
      }
      return connectKind(errno: error.message.raw)
    case "org.bluez.Error.ConnectionAttemptFailed": return .outOfRange
    default: return .refused
    }
  }

  /// What follows le-connection- or br-connection-.
  private static func connectKind(reason: Substring) -> GATTError.Kind {
    switch reason {
    case "abort-by-remote", "aborted-by-remote": .abortedByPeer
    case "timeout", "page-timeout": .outOfRange
    case "busy", "concurrent-connection-limit", "already-connected": .busy
    case "refused", "not-supported", "invalid-arguments", "invalid-argument",
      "profile-unavailable":
      .refused
    case "adapter-not-powered": .adapterLost
    // abort-by-local and canceled; gatt-browsing, unknown and what is not known here are worth
    // another attempt as well.
    default: .abortedLocally
    }
  }

  private static func connectKind(errno text: String) -> GATTError.Kind {
    switch text {
    case "Connection reset by peer", "Transport endpoint is not connected": .abortedByPeer
    case "Connection timed out", "Host is down": .outOfRange
    case "Operation already in progress", "Device or resource busy", "Too many links": .busy
    case "Connection refused", "Operation not permitted", "Permission denied": .refused
    case "No route to host", "No such device": .adapterLost
    // "Software caused connection abort", "Input/output error" and others.
    default: .abortedLocally
    }
  }

  private static func operationKind(_ error: BusError) -> (GATTError.Kind, UInt8?) {
    if let kind = commonKind(error) { return (kind, nil) }
    switch (error.name, error.message.raw) {
    case ("org.bluez.Error.NotPermitted", "Read not permitted"): return (.refused, 0x02)
    case ("org.bluez.Error.NotPermitted", "Write not permitted"): return (.refused, 0x03)
    // Another program has taken the characteristic for itself.
    case ("org.bluez.Error.NotPermitted", "Write acquired"),
      ("org.bluez.Error.NotPermitted", "Notify acquired"):
      return (.busy, nil)
    case ("org.bluez.Error.InvalidArguments", "Invalid offset"): return (.refused, 0x07)
    case ("org.bluez.Error.InvalidArguments", "Invalid Length"): return (.refused, 0x0D)
    case ("org.bluez.Error.NotAuthorized", _): return (.refused, 0x08)
    case ("org.bluez.Error.NotSupported", _): return (.refused, 0x06)
    case ("org.bluez.Error.Failed", let message):
      let prefix = "Operation failed with ATT error: 0x"
      if message.hasPrefix(prefix) {
        return (.refused, UInt8(message.dropFirst(prefix.count), radix: 16))
      }
      return (failedKind(message), nil)
    default: return (.refused, nil)
    }
  }

  private static func failedKind(_ message: String) -> GATTError.Kind {
    switch message {
    case "Not connected", "Not Connected", "No ATT transport", "Connection reset by peer",
      "Transport endpoint is not connected":
      .abortedByPeer
    case "Operation already in progress": .busy
    default: .refused
    }
  }

  /// What is the same everywhere.
  private static func commonKind(_ error: BusError) -> GATTError.Kind? {
    switch error.name {
    case BusError.serviceUnknown, BusError.disconnected,
      "org.freedesktop.DBus.Error.NameHasNoOwner":
      .daemonRestarted
    case BusError.noReply, "org.freedesktop.DBus.Error.Timeout": .timedOut
    case BusError.accessDenied: .refused
    case BusError.unknownObject, "org.freedesktop.DBus.Error.UnknownMethod",
      "org.freedesktop.DBus.Error.UnknownInterface", "org.bluez.Error.DoesNotExist":
      .notFound
    case "org.bluez.Error.NotReady", "org.bluez.Error.NoSuchAdapter": .adapterLost
    case "org.bluez.Error.InProgress", "org.bluez.Error.AlreadyConnected": .busy
    case "org.bluez.Error.NotConnected": .abortedByPeer
    default: nil
    }
  }
}
