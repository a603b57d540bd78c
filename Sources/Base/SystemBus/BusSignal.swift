import CDBus

/// A signal, while it is being delivered. Its arguments are decoded when they are asked for.
public struct BusSignal: ~Copyable {
  private let message: OpaquePointer

  init(_ message: OpaquePointer) { self.message = message }

  /// The object that sent it.
  public var path: String { dbus_message_get_path(message).map { String(cString: $0) } ?? "" }

  /// Whether it was sent to all who asked for it. What is sent to one connection comes whatever that asked for, and
  /// the policy of the system bus lets every user send it.
  public var isBroadcast: Bool { dbus_message_get_destination(message) == nil }

  /// Whether it is this signal.
  public func isSignal(_ interface: StaticString, _ member: StaticString) -> Bool {
    interface.withUTF8Buffer { interface in
      member.withUTF8Buffer { member in
        equal(interface, dbus_message_get_interface(message))
          && equal(member, dbus_message_get_member(message))
      }
    }
  }

  private func equal(
    _ text: UnsafeBufferPointer<UInt8>, _ other: UnsafePointer<CChar>?
  ) -> Bool {
    guard let other else { return false }
    for (index, byte) in text.enumerated() where other[index] != CChar(bitPattern: byte) {
      return false
    }
    return other[text.count] == 0
  }

  /// What the sender gave, decoded anew each time this is asked for.
  public var arguments: [BusValue] { BusReader.arguments(of: message) }
}
