public import LunaJSON

/// What a client sends in a replay: Wehe's file `[packets, udpClientPorts, tcpPairs, replayName]`
/// (UPLINK.md, 4).
public struct Recording: Hashable, Sendable {
  /// The name of the replay.
  public let name: ReplayName
  /// What is sent.
  public let packets: RecordedPackets
  /// The ports from which a client sends over UDP.
  public let ports: [UInt16]
  /// The connections over TCP.
  public let pairs: [ConnectionPair]

  /// A recording over TCP. Its requests are of these connections.
  init(name: ReplayName, pairs: [ConnectionPair], requests: [RecordedRequest]) {
    self.init(name: name, packets: .tcp(requests), ports: [], pairs: pairs)
  }

  private init(
    name: ReplayName, packets: RecordedPackets, ports: [UInt16], pairs: [ConnectionPair]
  ) {
    self.name = name
    self.packets = packets
    self.ports = ports
    self.pairs = pairs
  }

  /// Reads a file.
  ///
  /// - Throws: what is wrong with it; where it is a packet, its number from 1 and its field.
  public init(_ bytes: [UInt8]) throws(RecordingError) {
    self = try RecordingDocument.read(bytes) { json throws(FormatError) in
      try Recording(json: json)
    }
  }

  init(json: JSONValue) throws(FormatError) {
    guard case .array(let parts) = json, parts.count == 4 else {
      throw FormatError("the recording", "is not [packets, udpClientPorts, tcpPairs, replayName]")
    }
    guard let text = RecordingFields.text(parts[3]), let name = ReplayName(text) else {
      throw FormatError("replayName", "is not \(ReplayName.form)")
    }
    self.name = name
    ports = try Recording.list(parts[1], "udpClientPorts", "a port from 1 to 65535") { value in
      RecordingFields.integer(value).flatMap { UInt16(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil }
    }
    pairs = try Recording.list(parts[2], "tcpPairs", ConnectionPair.form) { value in
      RecordingFields.text(value).flatMap { ConnectionPair($0) }
    }
    packets = try Recording.packets(parts[0], ports: Set(ports), pairs: Set(pairs))
  }

  private static func list<Value>(
    _ json: JSONValue, _ name: String, _ form: String, _ read: (JSONValue) -> Value?
  ) throws(FormatError) -> [Value] {
    guard case .array(let elements) = json else { throw FormatError(name, "is not a list") }
    guard elements.count <= RecordingLimits.pairs else {
      throw FormatError(name, "has more than \(RecordingLimits.pairs) entries")
    }
    var values: [Value] = []
    for (index, element) in elements.enumerated() {
      guard let value = read(element) else {
        throw FormatError("\(name), entry \(index + 1)", "is not \(form)")
      }
      values.append(value)
    }
    return values
  }

  private static func packets(
    _ json: JSONValue, ports: Set<UInt16>, pairs: Set<ConnectionPair>
  ) throws(FormatError) -> RecordedPackets {
    guard case .array(let packets) = json else { throw FormatError("packets", "is not a list") }
    guard let first = packets.first else { throw FormatError("packets", "is empty") }
    let fields = try RecordingFields(first, "packet 1")
    guard fields["response_len"] != nil || fields["end"] != nil else {
      throw FormatError("packet 1", "has neither response_len, as TCP has, nor end, as UDP has")
    }
    func read<Packet>(
      _ packet: (RecordingFields) throws(FormatError) -> Packet
    ) throws(FormatError) -> [Packet] {
      var read: [Packet] = []
      read.reserveCapacity(packets.count)
      for (index, value) in packets.enumerated() {
        read.append(try packet(RecordingFields(value, "packet \(index + 1)")))
      }
      return read
    }
    guard fields["response_len"] != nil else {
      return .udp(
        try read { fields throws(FormatError) in
          let datagram = try RecordedDatagram(fields)
          guard ports.contains(datagram.pair.client.port) else {
            throw fields.problem("c_s_pair", "has a port that is not one of udpClientPorts")
          }
          return datagram
        })
    }
    return .tcp(
      try read { fields throws(FormatError) in
        let request = try RecordedRequest(fields)
        guard pairs.contains(request.pair) else {
          throw fields.problem("c_s_pair", "is not one of tcpPairs")
        }
        return request
      })
  }

  /// The file as it is written.
  public var json: JSONValue {
    let packets: [JSONValue] =
      switch packets {
      case .tcp(let requests): requests.map(\.json)
      case .udp(let datagrams): datagrams.map(\.json)
      }
    return .array([
      .array(packets), .array(ports.map { .string(RecordedEndpoint.text(ofPort: $0)) }),
      .array(pairs.map { .string($0.description) }), .string(name.text),
    ])
  }

  /// How many bytes the client sends.
  public var sentBytes: Int {
    switch packets {
    case .tcp(let requests): requests.reduce(0) { $0 + $1.payload.count }
    case .udp(let datagrams): datagrams.reduce(0) { $0 + $1.payload.count }
    }
  }

  /// How many bytes the server answers over TCP; nil over UDP, where the client's file does not tell.
  public var answeredBytes: Int? {
    guard case .tcp(let requests) = packets else { return nil }
    return requests.reduce(0) { $0 + $1.answerLength }
  }

  /// When the last packet goes, s from the beginning.
  public var seconds: Double {
    switch packets {
    case .tcp(let requests): requests.reduce(0) { max($0, $1.time) }
    case .udp(let datagrams): datagrams.reduce(0) { max($0, $1.time) }
    }
  }

  /// The control where there is no other: the same sizes at the same times, and all bits the other way
  /// round. Nil when its name would be too long.
  public var inverted: Recording? {
    guard let name = name.control else { return nil }
    let packets: RecordedPackets =
      switch packets {
      case .tcp(let requests): .tcp(requests.map(\.inverted))
      case .udp(let datagrams): .udp(datagrams.map(\.inverted))
      }
    return Recording(name: name, packets: packets, ports: ports, pairs: pairs)
  }

  /// The same with other bytes in its first packets.
  func replacing(_ payloads: [[UInt8]]) -> Recording {
    let packets: RecordedPackets
    switch self.packets {
    case .tcp(let requests):
      let replaced = zip(requests, payloads).map { $0.replacing($1) }
      packets = .tcp(replaced + requests.dropFirst(replaced.count))
    case .udp(let datagrams):
      let replaced = zip(datagrams, payloads).map { $0.replacing($1) }
      packets = .udp(replaced + datagrams.dropFirst(replaced.count))
    }
    return Recording(name: name, packets: packets, ports: ports, pairs: pairs)
  }
}
