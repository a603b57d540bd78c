import CDBus

/// An object of ours on the bus. libdbus holds on to it while it is registered.
final class BusObject {
  private let handler: (BusMethodCall) -> BusMethodReply?

  init(_ handler: @escaping (BusMethodCall) -> BusMethodReply?) { self.handler = handler }

  /// Puts it on the bus; false when the path is taken.
  func register(_ path: String, _ loop: BusLoop) -> Bool {
    var table = DBusObjectPathVTable()
    table.message_function = { connection, message, context in
      guard let connection, let message, let context else {
        return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
      }
      return Unmanaged<BusObject>.fromOpaque(context).takeUnretainedValue()
        .answer(message, on: connection)
    }
    table.unregister_function = { _, context in
      if let context { Unmanaged<BusObject>.fromOpaque(context).release() }
    }
    let context = Unmanaged.passRetained(self)
    let isTaken =
      dbus_connection_try_register_object_path(
        loop.connection, path, &table, context.toOpaque(), nil) == 0
    if isTaken { context.release() }
    return !isTaken
  }

  private func answer(_ message: OpaquePointer, on connection: OpaquePointer) -> DBusHandlerResult {
    guard dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL else {
      return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
    }
    func text(_ pointer: UnsafePointer<CChar>?) -> String {
      pointer.map { String(cString: $0) } ?? ""
    }
    let call = BusMethodCall(
      path: text(dbus_message_get_path(message)),
      interface: text(dbus_message_get_interface(message)),
      member: text(dbus_message_get_member(message)), arguments: BusReader.arguments(of: message))
    let reply: OpaquePointer?
    switch handler(call) {
    case nil: return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
    case .values(let values):
      reply = dbus_message_new_method_return(message)
      if let reply, !BusWriter.append(values, to: reply) {
        dbus_message_unref(reply)
        return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
      }
    case .error(let name, let reason):
      guard dbus_validate_error_name(name, nil) != 0, dbus_validate_utf8(reason, nil) != 0 else {
        return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
      }
      reply = dbus_message_new_error(message, name, reason)
    }
    guard let reply else { return DBUS_HANDLER_RESULT_NEED_MEMORY }
    defer { dbus_message_unref(reply) }
    return dbus_connection_send(connection, reply, nil) != 0
      ? DBUS_HANDLER_RESULT_HANDLED : DBUS_HANDLER_RESULT_NEED_MEMORY
  }
}
