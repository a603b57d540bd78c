import TLSStream
import Testing
import UplinkProtocol

/// A client of commands over TLS that sees the records in which it is answered.
final class RecordLine {
  /// How long what has to be known of a record is, bytes (RFC 8446, 5.1).
  private static let head = 5

  private let socket: TestSocket
  private let session: TLSSession
  private var buffer = [UInt8](repeating: 0, count: 32 << 10)

  /// Connects.
  ///
  /// - Parameter authority: the file of who vouches for the server.
  init(port: UInt16, _ authority: String) throws {
    socket = try #require(TestSocket(port: port))
    session = try TLSSession(
      .client(.authorities(file: authority, name: "127.0.0.1"), asking: nil))
    while try !session.handshake() {
      flush()
      try pull()
    }
    flush()
  }

  /// Asks.
  ///
  /// - Returns: how many bytes each record of the answer has.
  func ask(_ request: [UInt8]) throws -> [Int] {
    var rest = request[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(try session.write(rest))
      flush()
    }
    var (answer, sizes): (CommandAnswer, [Int]) = (CommandAnswer(), [])
    while !answer.isWhole {
      try pull()
      // What TLS says for itself is none of it.
      while case .bytes(let count) = try session.read(buffer.count, into: &buffer) {
        sizes.append(count)
        let isGood = answer.take(Array(buffer[..<count]))
        try #require(isGood)
      }
    }
    return sizes
  }

  /// Takes the next record.
  private func pull() throws {
    let head = socket.receive(RecordLine.head)
    try #require(head.count == RecordLine.head)
    let record = head + socket.receive(Int(head[3]) << 8 | Int(head[4]))
    try #require(session.put(record[...]) == record.count)
  }

  private func flush() {
    while true {
      let count = session.take(into: &buffer)
      guard count > 0 else { return }
      socket.send(Array(buffer[..<count]))
    }
  }
}
