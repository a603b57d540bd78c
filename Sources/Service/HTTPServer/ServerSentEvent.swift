/// An event for browsers and others who listen to a stream (HTML Standard, 9.2), encoded once for all
/// of them.
public struct ServerSentEvent: Hashable, Sendable {
  /// The event as it is sent.
  let bytes: [UInt8]

  /// How many bytes it has.
  public var byteCount: Int { bytes.count }

  /// An event.
  ///
  /// - Parameters:
  ///   - name: its kind; nil for `message`. Without line ends.
  ///   - data: any text.
  ///   - id: what a client that comes back names as the last one that it has seen. Without line ends and
  ///     zero bytes.
  public init(_ name: String? = nil, data: String, id: String? = nil) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.utf8.count + 64)
    func add(_ field: String, _ value: String) {
      bytes += "\(field): ".utf8
      bytes += value.utf8.filter { ![0, 0x0A, 0x0D].contains($0) }
      bytes.append(0x0A)
    }
    if let id { add("id", id) }
    if let name { add("event", name) }
    // A line end of any kind would end the field: CR, LF, or both.
    bytes += "data: ".utf8
    var isAfterReturn = false
    for byte in data.utf8 {
      switch byte {
      case 0x0A where isAfterReturn: break
      case 0x0A, 0x0D: bytes += "\ndata: ".utf8
      default: bytes.append(byte)
      }
      isAfterReturn = byte == 0x0D
    }
    bytes += "\n\n".utf8
    self.bytes = bytes
  }

  /// What no client shows: where a stream begins, for a client that is cut off before it has seen an
  /// event, and after how long it is to come back then.
  ///
  /// - Parameter id: as that of an event.
  public static func beginning(_ id: String, retry pause: Duration) -> ServerSentEvent {
    let number = id.utf8.filter { ![0, 0x0A, 0x0D].contains($0) }
    return ServerSentEvent(Array("id: ".utf8) + number + [0x0A] + retry(after: pause).bytes)
  }

  /// After how long a client is to come back when the stream breaks off.
  public static func retry(after pause: Duration) -> ServerSentEvent {
    ServerSentEvent(Array("retry: \(max(0, Int64(pause / .milliseconds(1))))\n\n".utf8))
  }

  /// What no client shows; it tells whether the client is there.
  static let heartbeat = ServerSentEvent(Array(":\n\n".utf8))

  private init(_ bytes: [UInt8]) { self.bytes = bytes }
}
