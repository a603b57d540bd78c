import CDBus

/// Methods of ours that are answered later, and signals of ours.
extension BusLoop {
  /// The calls that may wait for an answer at a time; more are refused.
  private static let waitingLimit = 256

  /// A token for the next call.
  func makeToken() -> BusMethodCall.Token {
    calls += 1
    return BusMethodCall.Token(number: calls)
  }

  /// Keeps a call until it is answered.
  func keep(_ message: OpaquePointer, for token: BusMethodCall.Token) {
    guard waiting.count < BusLoop.waitingLimit else {
      let name = "org.freedesktop.DBus.Error.LimitsExceeded"
      _ = send(.error(name, "too many calls wait for an answer"), to: message)
      return
    }
    dbus_message_ref(message)
    waiting[token] = message
  }

  /// Answers a call that was kept; does nothing when it was answered before.
  func reply(_ reply: BusMethodReply, to token: BusMethodCall.Token) {
    guard let message = waiting.removeValue(forKey: token) else { return }
    defer { dbus_message_unref(message) }
    if !send(reply, to: message) {
      let name = "org.freedesktop.DBus.Error.Failed"
      _ = send(.error(name, "the answer does not fit"), to: message)
    }
  }

  /// Sends an answer; false when it is none, or makes no message.
  func send(_ reply: BusMethodReply, to message: OpaquePointer) -> Bool {
    let answer: OpaquePointer?
    switch reply {
    case .later: return false
    case .values(let values):
      answer = dbus_message_new_method_return(message)
      if let answer, !BusWriter.append(values, to: answer) {
        dbus_message_unref(answer)
        return false
      }
    case .error(let name, let reason):
      guard dbus_validate_error_name(name, nil) != 0, dbus_validate_utf8(reason, nil) != 0 else {
        return false
      }
      answer = dbus_message_new_error(message, name, reason)
    }
    guard let answer else { return false }
    defer { dbus_message_unref(answer) }
    return dbus_message_get_no_reply(message) != 0
      || dbus_connection_send(connection, answer, nil) != 0
  }

  /// Sends a signal; false when its names or its arguments are not valid.
  func emit(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue]
  ) -> Bool {
    // libdbus ends the process over names that are not valid.
    guard dbus_validate_path(path, nil) != 0, dbus_validate_interface(interface, nil) != 0,
      dbus_validate_member(member, nil) != 0,
      let message = dbus_message_new_signal(path, interface, member)
    else { return false }
    defer { dbus_message_unref(message) }
    return BusWriter.append(arguments, to: message)
      && dbus_connection_send(connection, message, nil) != 0
  }

  /// Forgets the calls that wait.
  func forgetCalls() {
    for message in waiting.values { dbus_message_unref(message) }
    waiting = [:]
  }
}
