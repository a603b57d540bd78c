public import LunaCrypto

/// What went through a relay, from which a recording is made: connections, and what either side sent on
/// them when.
///
/// No address is kept: in the recording all of them are 127.0.0.1.
public struct RecordedTraffic: Sendable {
  /// Who sent something.
  public enum Side: Sendable {
    /// Who opened the connection.
    case client
    /// Who was asked.
    case server
  }

  private struct Chunk {
    let connection: Int
    let side: Side
    let time: Double
    let bytes: [UInt8]
  }

  private static let loopback: UInt32 = 0x7F00_0001
  /// More than a packet takes in a file beside its bytes.
  private static let overhead = 260

  private let server: RecordedEndpoint
  private var pairs: [ConnectionPair] = []
  private var chunks: [Chunk] = []
  /// What both files take at most together.
  private var size = 0
  /// So many bytes have gone through, both ways.
  public private(set) var count = 0

  /// Nothing yet, of a server at a port; nil when that is 0.
  public init?(serverPort: UInt16) {
    guard let server = RecordedEndpoint(address: RecordedTraffic.loopback, port: serverPort) else {
      return nil
    }
    self.server = server
  }

  /// Adds a connection.
  ///
  /// - Parameter clientPort: the port that it comes from, none that was there before.
  /// - Returns: its number; nil when there are as many as a recording may have, or the port is 0.
  public mutating func connect(from clientPort: UInt16) -> Int? {
    guard pairs.count < RecordingLimits.pairs,
      let client = RecordedEndpoint(address: RecordedTraffic.loopback, port: clientPort)
    else { return nil }
    pairs.append(ConnectionPair(client: client, server: server))
    return pairs.count - 1
  }

  /// Adds what somebody sent.
  ///
  /// - Parameters:
  ///   - connection: its number.
  ///   - time: s from the beginning.
  /// - Returns: whether there is room for it: a recording has a limit in time, packets, and the size of its
  ///   files.
  public mutating func append(
    _ bytes: [UInt8], from side: Side, on connection: Int, at time: Double
  ) -> Bool {
    // In a file each byte is two digits.
    let size = size + 2 * bytes.count + RecordedTraffic.overhead
    guard pairs.indices.contains(connection), (0...RecordingLimits.seconds).contains(time),
      bytes.count <= RecordingLimits.payload, size <= RecordingLimits.file,
      chunks.count < RecordingLimits.packets
    else { return false }
    guard !bytes.isEmpty else { return true }
    self.size = size
    count += bytes.count
    chunks.append(Chunk(connection: connection, side: side, time: time, bytes: bytes))
    return true
  }

  /// The recording.
  ///
  /// What a client sends at once is a request, what comes until it sends again its answer. Where the server
  /// speaks first, the request is empty.
  ///
  /// - Returns: what either side sends; nil where the client sent nothing.
  /// - Throws: when libcrypto does not offer SHA-1.
  public func recordings(
    named name: ReplayName
  ) throws(CryptoError) -> (client: Recording, server: ServerRecording)? {
    guard chunks.contains(where: { $0.side == .client }) else { return nil }
    struct Open {
      let request: Chunk
      var answers: [Chunk] = []
    }
    var all: [Open] = []
    var last = [Int?](repeating: nil, count: pairs.count)
    for chunk in chunks {
      if chunk.side == .server, let place = last[chunk.connection] {
        all[place].answers.append(chunk)
        continue
      }
      last[chunk.connection] = all.count
      if chunk.side == .client {
        all.append(Open(request: chunk))
      } else {
        let nothing = Chunk(
          connection: chunk.connection, side: .client, time: chunk.time, bytes: [])
        all.append(Open(request: nothing, answers: [chunk]))
      }
    }
    var requests: [RecordedRequest] = []
    var exchanges = [[ServerExchange]](repeating: [], count: pairs.count)
    for open in all {
      let answer = open.answers.flatMap(\.bytes)
      let request = open.request
      requests.append(
        RecordedRequest(
          pair: pairs[request.connection], time: request.time, payload: request.bytes,
          answerLength: answer.count,
          answerHash: answer.isEmpty ? nil : try SHA1.digest(of: answer.span)))
      exchanges[request.connection].append(
        ServerExchange(
          requestLength: request.bytes.count, requestHash: try SHA1.digest(of: request.bytes.span),
          answers: open.answers.map {
            RecordedAnswer(time: $0.time, content: .payload($0.bytes))
          }))
    }
    return (
      Recording(name: name, pairs: pairs, requests: requests),
      ServerRecording(
        name: name,
        connections: zip(pairs, exchanges).map { ServerConnection(pair: $0, exchanges: $1) },
        flows: [])
    )
  }
}
