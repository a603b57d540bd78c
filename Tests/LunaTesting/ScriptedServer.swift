import Dispatch
import Glibc
import Synchronization

/// A server on loopback that gives prepared answers, one for each connection, and remembers what it
/// was sent.
public final class ScriptedServer: Sendable {
  /// The port.
  public let port: UInt16
  private let socket: Int32
  private let received = Mutex<[String]>([])
  /// Connections on which it stays silent.
  private let open = Mutex<[Int32]>([])

  /// - Parameter answers: what is written to each connection, in turn, after its request has come; an
  ///   empty one closes it without an answer; nil stays silent.
  public convenience init(_ answers: [String?]) { self.init { _ in answers } }

  /// - Parameter answers: the same, made of the address of the server.
  public init(_ answers: (_ url: String) -> [String?]) {
    guard let (socket, port) = loopbackSocket(backlog: 8) else {
      preconditionFailure("no port on loopback")
    }
    (self.socket, self.port) = (socket, port)
    let answers = answers("http://127.0.0.1:\(port)")
    DispatchQueue(label: "scripted").async { [self] in serve(answers) }
  }

  deinit { close(socket) }

  /// The address of the server.
  public var url: String { "http://127.0.0.1:\(port)" }

  /// The requests, heads and bodies.
  public var requests: [String] { received.withLock { $0 } }

  /// Ends the connections on which it stays silent.
  public func hangUp() {
    open.withLock { for connection in $0 { shutdown(connection, Int32(SHUT_RDWR)) } }
  }

  private func serve(_ answers: [String?]) {
    for answer in answers {
      let connection = accept(socket, nil, nil)
      guard connection >= 0 else { break }
      let request = ScriptedServer.request(from: connection)
      received.withLock { $0.append(request) }
      guard let answer else {
        open.withLock { $0.append(connection) }
        continue
      }
      var text = answer
      text.withUTF8 { _ = send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      close(connection)
    }
    // Silent until the client has had enough.
    for connection in open.withLock({ $0 }) {
      var byte: UInt8 = 0
      while recv(connection, &byte, 1, 0) > 0 {}
      open.withLock { open in
        open.removeAll { $0 == connection }
        close(connection)
      }
    }
  }

  /// Head and body, as long as the head says.
  private static func request(from connection: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
      if let end = lines.firstIndex(of: ""), end > 0, text.utf8.count > 4 {
        let head = lines[..<end]
        let length =
          head.first { $0.lowercased().hasPrefix("content-length:") }
          .flatMap { Int($0.dropFirst(15).filter { $0 != " " }) } ?? 0
        let headBytes = head.reduce(2) { $0 + $1.utf8.count + 2 }
        if bytes.count >= headBytes + length { return text }
      }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return text }
      bytes += buffer[..<count]
    }
  }
}
