import CDBus

/// An object of ours on the bus. libdbus holds on to it while it is registered.
final class BusObject {
  private let handler: (BusMethodCall) -> BusMethodReply?
  private weak var loop: BusLoop?

  init(_ handler: @escaping (BusMethodCall) -> BusMethodReply?) { self.handler = handler }

  /// Puts it on the bus; false when the path is taken.
  func register(_ path: String, _ loop: BusLoop) -> Bool {
    self.loop = loop
    var table = DBusObjectPathVTable()
    table.message_function = { _, message, context in
      guard let message, let context else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
      return Unmanaged<BusObject>.fromOpaque(context).takeUnretainedValue().answer(message)
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

  private func answer(_ message: OpaquePointer) -> DBusHandlerResult {
    guard let loop, dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL else {
      return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
    }
    func text(_ pointer: UnsafePointer<CChar>?) -> String {
      pointer.map { String(cString: $0) } ?? ""
    }
    let token = loop.makeToken()
    let call = BusMethodCall(
      token: token, sender: text(dbus_message_get_sender(message)),
      path: text(dbus_message_get_path(message)),
      interface: text(dbus_message_get_interface(message)),
      member: text(dbus_message_get_member(message)), arguments: BusReader.arguments(of: message))
    switch handler(call) {
    case nil: return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
    case .later:
      loop.keep(message, for: token)
      return DBUS_HANDLER_RESULT_HANDLED
    case .some(let reply):
      return loop.send(reply, to: message)
        ? DBUS_HANDLER_RESULT_HANDLED : DBUS_HANDLER_RESULT_NOT_YET_HANDLED
    }
  }
}
