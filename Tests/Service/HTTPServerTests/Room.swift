import Glibc
import Synchronization

@testable import HTTPServer

/// A server with one stream for everybody who asks for `/stream`, and a word for who asks for anything
/// else.
final class Room: Sendable {
  let address: ListenAddress
  let listener: HTTPListener
  let joined: Signal
  let left: Signal
  private let streams: Streams

  final class Streams: Sendable {
    let list = Mutex<[EventStream]>([])
    let lastIDs = Mutex<[String?]>([])
  }

  init(
    _ limits: HTTPLimits = HTTPLimits(), threads: Int = 1, backlog: Int = 1 << 16,
    farewell: ServerSentEvent? = nil, mayGoOn: (@Sendable () async -> Bool)? = nil
  ) throws {
    let (streams, joined, left) = (Streams(), Signal(), Signal())
    (self.streams, self.joined, self.left) = (streams, joined, left)
    listener = HTTPListener(limits: limits) { request in
      guard request.head.path == "/stream" else {
        return HTTPResponse(200, "text/plain", Array("word".utf8))
      }
      let stream = EventStream(backlog: backlog, farewell: farewell, mayGoOn: mayGoOn) {
        left.fire()
      }
      streams.lastIDs.withLock { $0.append(request.lastEventID) }
      streams.list.withLock { $0.append(stream) }
      stream.send(ServerSentEvent("hello", data: "you"))
      joined.fire()
      return HTTPResponse(events: stream)
    }
    address = try listener.start(on: ListenAddress(host: "127.0.0.1", port: 0), threads: threads)
  }

  var all: [EventStream] { streams.list.withLock { $0 } }
  var lastIDs: [String?] { streams.lastIDs.withLock { $0 } }

  /// Tells everybody.
  ///
  /// - Returns: how many streams took it.
  @discardableResult
  func tell(_ event: ServerSentEvent) -> Int { all.count { $0.send(event) } }

  func client(_ headers: String = "") throws -> Client {
    let client = try Client(address)
    client.get("/stream", headers)
    return client
  }
}
