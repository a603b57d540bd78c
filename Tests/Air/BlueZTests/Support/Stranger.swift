import CDBus

@testable import SystemBus

/// Somebody else on the bus, who is not bluetoothd. The bus lets everybody send a signal to a connection, whatever that
/// asked for.
enum Stranger {
  typealias Signal = (path: String, interface: String, member: String, arguments: [BusValue])

  /// Sends signals to the first connections of a bus by their names, as if they were bluetoothd's, and comes back when
  /// the bus has passed them on.
  ///
  /// - Returns: whether that could be done.
  static func send(_ signals: [Signal], at address: String) -> Bool {
    guard let connection = dbus_connection_open_private(address, nil) else { return false }
    defer {
      dbus_connection_close(connection)
      dbus_connection_unref(connection)
    }
    dbus_connection_set_exit_on_disconnect(connection, 0)
    guard dbus_bus_register(connection, nil) != 0 else { return false }
    for number in 0..<8 {
      for signal in signals {
        guard let message = dbus_message_new_signal(signal.path, signal.interface, signal.member)
        else { return false }
        defer { dbus_message_unref(message) }
        guard dbus_message_set_destination(message, ":1.\(number)") != 0,
          BusWriter.append(signal.arguments, to: message),
          dbus_connection_send(connection, message, nil) != 0
        else { return false }
      }
    }
    // An answer follows all that was sent before.
    return dbus_bus_name_has_owner(connection, "org.bluez", nil) != 0
  }

  /// That bluetoothd has ended.
  static let end: Signal = (
    "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged",
    [.string("org.bluez"), .string(":1.0"), .string("")]
  )
}
