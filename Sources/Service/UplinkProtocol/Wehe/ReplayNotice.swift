/// What a server says during the data of UDP: `STARTED;PORT` or `DONE;PORT`, with the client's real port.
public enum ReplayNotice: Hashable, Sendable {
  /// It begins to send.
  case started(port: UInt16)
  /// It has sent everything.
  case done(port: UInt16)

  init?(_ message: [UInt8]) {
    guard message.count <= 16 else { return nil }
    let words = String(decoding: message, as: UTF8.self).split(
      separator: ";", omittingEmptySubsequences: false)
    guard words.count == 2, let port = UInt16(words[1]), port > 0 else { return nil }
    switch words[0] {
    case "STARTED": self = .started(port: port)
    case "DONE": self = .done(port: port)
    default: return nil
    }
  }
}
