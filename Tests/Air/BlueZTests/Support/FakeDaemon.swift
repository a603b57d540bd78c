import CDBus
import Foundation
import LunaTesting
import Synchronization

@testable import SystemBus

/// bluetoothd as far as a scan sees it, on a bus of the test's own. It answers with what the test
/// says, on a thread and over libdbus alone.
final class FakeDaemon: Sendable {
  /// A method that was called.
  struct Call: Hashable {
    let path: String
    let interface: String
    let member: String
    let arguments: [BusValue]
  }

  struct State {
    /// The properties of objects, by path and interface.
    var objects: [String: [String: BusValue]] = [:]
    /// The errors that methods are answered with, each once and in this order.
    var errors: [String: [String]] = [:]
    var calls: [Call] = []
    fileprivate var signals: [(String, String, String, [BusValue])] = []
    fileprivate var isOver = false
  }

  let state = Mutex(State())
  private let bus: PrivateBus
  private let ended = DispatchSemaphore(value: 0)

  var address: String { bus.address }

  /// Nil when there is no dbus-daemon on this machine.
  init?(_ prepare: (inout State) -> Void = { _ in }) {
    guard let bus = PrivateBus() else { return nil }
    self.bus = bus
    state.withLock { prepare(&$0) }
    let ready = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      serve { ready.signal() }
      ended.signal()
    }
    guard ready.wait(timeout: .now() + 300) == .success else { return nil }
  }

  /// bluetoothd stops: its name is free again.
  func stop() {
    state.withLock { $0.isOver = true }
    // For whoever stops it once more.
    if ended.wait(timeout: .now() + 300) == .success { ended.signal() }
  }

  /// The whole bus stops.
  func endBus() {
    stop()
    bus.end()
  }

  /// Sends a signal.
  func emit(_ path: String, _ interface: String, _ member: String, _ arguments: [BusValue]) {
    state.withLock { $0.signals.append((path, interface, member, arguments)) }
  }

  /// Tells that properties have changed.
  func change(
    _ path: String, _ interface: String, _ properties: KeyValuePairs<String, BusValue>
  ) {
    emit(
      path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
      [.string(interface), .properties(properties), .array([])])
  }

  /// The calls of a method.
  func calls(_ member: String) -> [Call] {
    state.withLock { $0.calls.filter { $0.member == member } }
  }

  private func serve(_ ready: () -> Void) {
    guard let connection = dbus_connection_open_private(address, nil) else { return }
    defer {
      dbus_connection_close(connection)
      dbus_connection_unref(connection)
    }
    dbus_connection_set_exit_on_disconnect(connection, 0)
    guard dbus_bus_register(connection, nil) != 0,
      dbus_bus_request_name(connection, "org.bluez", 0, nil) != -1
    else { return }
    ready()
    while !state.withLock({ $0.isOver }), dbus_connection_read_write(connection, 5) != 0 {
      let signals = state.withLock { state in
        defer { state.signals = [] }
        return state.signals
      }
      for (path, interface, member, arguments) in signals {
        guard let message = dbus_message_new_signal(path, interface, member) else { continue }
        if BusWriter.append(arguments, to: message) {
          dbus_connection_send(connection, message, nil)
        }
        dbus_message_unref(message)
      }
      while let message = dbus_connection_pop_message(connection) {
        answer(message, connection)
        dbus_message_unref(message)
      }
      dbus_connection_flush(connection)
    }
  }

  private func answer(_ message: OpaquePointer, _ connection: OpaquePointer) {
    guard dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL else { return }
    func text(_ pointer: UnsafePointer<CChar>?) -> String {
      pointer.map { String(cString: $0) } ?? ""
    }
    let call = Call(
      path: text(dbus_message_get_path(message)),
      interface: text(dbus_message_get_interface(message)),
      member: text(dbus_message_get_member(message)), arguments: BusReader.arguments(of: message))
    let result = state.withLock { FakeDaemon.carryOut(call, &$0) }
    let reply: OpaquePointer?
    switch result {
    case .success(let values):
      reply = dbus_message_new_method_return(message)
      if let reply { _ = BusWriter.append(values, to: reply) }
    case .failure(let refusal):
      reply = dbus_message_new_error(message, refusal.name, "the test says so")
    }
    guard let reply else { return }
    dbus_connection_send(connection, reply, nil)
    dbus_message_unref(reply)
  }

  private struct Refusal: Error { let name: String }

  private static func carryOut(_ call: Call, _ state: inout State) -> Result<[BusValue], Refusal> {
    state.calls.append(call)
    if let name = state.errors[call.member]?.first {
      state.errors[call.member]?.removeFirst()
      return .failure(Refusal(name: name))
    }
    let interface = call.arguments.first?.text ?? ""
    let properties = state.objects[call.path]?[interface]
    switch call.member {
    case "Introspect":
      let children = state.objects.keys.filter { $0.hasPrefix(call.path + "/") }
        .map { $0.dropFirst(call.path.count + 1) }.filter { !$0.contains("/") }.sorted()
      let interfaces = (state.objects[call.path] ?? [:]).keys.sorted()
        .map { "<interface name=\"\($0)\"/>" }.joined()
      return .success([
        .string(
          "<node>" + interfaces + children.map { "<node name=\"\($0)\"/>" }.joined() + "</node>")
      ])
    case "GetAll":
      return properties.map { .success([$0]) }
        ?? .failure(Refusal(name: "org.freedesktop.DBus.Error.UnknownObject"))
    case "Get":
      return properties?[call.arguments.last?.text ?? ""].map { .success([.variant($0.content)]) }
        ?? .failure(Refusal(name: "org.freedesktop.DBus.Error.InvalidArgs"))
    default: return .success([])
    }
  }
}
