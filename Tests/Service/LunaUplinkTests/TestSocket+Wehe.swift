import UplinkProtocol

/// The server's end of a side channel.
extension TestSocket {
  /// The next message; an empty one at the end.
  func message() -> String {
    let head = String(decoding: receive(10), as: UTF8.self)
    return String(decoding: receive(Int(head) ?? 0), as: UTF8.self)
  }

  func say(_ message: String) { send(WeheFrame.bytes(Array(message.utf8))) }
}
