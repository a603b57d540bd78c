public import LunaJSON

extension ServerRecording {
  /// What answers a recording without a file of its server: as many bytes as it waits for, of a generator. A
  /// client takes any bytes of the right length. Over UDP nothing is known, and nothing sent.
  public init(filling recording: Recording) {
    var connections = recording.pairs.map { (pair: $0, exchanges: [ServerExchange]()) }
    var places: [ConnectionPair: Int] = [:]
    for (index, pair) in recording.pairs.enumerated() { places[pair] = index }
    if case .tcp(let requests) = recording.packets {
      for (number, request) in requests.enumerated() {
        guard let place = places[request.pair] else { continue }
        let content = AnswerContent.fill(count: request.answerLength, seed: UInt64(number))
        connections[place].exchanges.append(
          ServerExchange(
            requestLength: request.payload.count, requestHash: nil,
            answers: request.answerLength == 0
              ? [] : [RecordedAnswer(time: request.time, content: content)]))
      }
    }
    self.init(
      name: recording.name,
      connections: connections.map { ServerConnection(pair: $0.pair, exchanges: $0.exchanges) },
      flows: [])
  }

  /// Fails unless this is the other side of a recording: the same connections, with requests and answers of
  /// the same lengths.
  public func check(against recording: Recording) throws(FormatError) {
    guard name == recording.name else {
      throw FormatError("name", "is not that of the client's file")
    }
    guard case .tcp(let requests) = recording.packets else {
      guard connections.isEmpty else {
        throw FormatError("tcp", "is there, and the client sends over UDP")
      }
      return
    }
    var places: [ConnectionPair: Int] = [:]
    for (index, connection) in connections.enumerated() { places[connection.pair] = index }
    var counts = [Int](repeating: 0, count: connections.count)
    for (number, request) in requests.enumerated() {
      guard let place = places[request.pair], counts[place] < connections[place].exchanges.count
      else { throw FormatError("packet \(number + 1)", "of the client has no answer") }
      let exchange = connections[place].exchanges[counts[place]]
      counts[place] += 1
      guard exchange.requestLength == request.payload.count,
        exchange.answerLength == request.answerLength
      else {
        throw FormatError(
          "packet \(number + 1)", "of the client has another length, or its answer has")
      }
    }
    for (index, connection) in connections.enumerated()
    where counts[index] < connection.exchanges.count {
      throw FormatError("tcp, connection \(index + 1)", "has more requests than the client sends")
    }
  }

  /// The server's side of ``Recording/inverted``; nil when its name would be too long.
  public var inverted: ServerRecording? {
    guard let name = name.control else { return nil }
    return ServerRecording(
      name: name,
      connections: connections.map {
        ServerConnection(pair: $0.pair, exchanges: $0.exchanges.map(\.inverted))
      },
      flows: flows.map { ServerFlow(pair: $0.pair, datagrams: $0.datagrams.map(\.inverted)) })
  }
}
