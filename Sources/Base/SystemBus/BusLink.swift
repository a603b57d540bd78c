import CDBus

/// A libdbus connection that was made, and that nobody drives yet: ``BusLoop`` does.
struct BusLink: @unchecked Sendable {
  let connection: OpaquePointer

  /// Connects to `address`, and waits as long as the bus takes nobody; nothing was said to it yet.
  init(to address: String) throws(BusError) {
    dbus_threads_init_default()
    var error = DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    guard let connection = dbus_connection_open_private(address, &error) else {
      throw BusError(
        name: error.name.map { String(cString: $0) } ?? BusError.disconnected,
        message: error.message.map { String(cString: $0) } ?? "", operation: "connect")
    }
    self.connection = connection
  }

  /// Closes it, where no loop has it.
  func close() {
    dbus_connection_close(connection)
    dbus_connection_unref(connection)
  }
}
