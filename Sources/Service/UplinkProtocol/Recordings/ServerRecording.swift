public import LunaJSON

/// What a server sends in a replay: a file of ours beside that of the client (UPLINK.md, 4).
///
/// What Wehe's server reads in its place is a Python pickle, which is a program: never read.
public struct ServerRecording: Hashable, Sendable {
  /// The version of the file.
  private static let version = 1

  /// The name of the replay.
  public let name: ReplayName
  /// The connections over TCP.
  public let connections: [ServerConnection]
  /// What goes over UDP.
  public let flows: [ServerFlow]

  init(name: ReplayName, connections: [ServerConnection], flows: [ServerFlow]) {
    self.name = name
    self.connections = connections
    self.flows = flows
  }

  /// Reads a file.
  ///
  /// - Throws: what is wrong with it, with the connection, request and field.
  public init(_ bytes: [UInt8]) throws(RecordingError) {
    self = try RecordingDocument.read(bytes) { json throws(FormatError) in
      try ServerRecording(json: json)
    }
  }

  private init(json: JSONValue) throws(FormatError) {
    let fields = try RecordingFields(json, "the server file")
    _ = try fields.integer("lunaRecording", in: ServerRecording.version...ServerRecording.version)
    guard let name = ReplayName(try fields.text("name")) else {
      throw fields.problem("name", "is not \(ReplayName.form)")
    }
    self.name = name
    // Lists have a limit each; together they have the same.
    var left = RecordingLimits.packets
    func take(_ count: Int, _ field: String) throws(FormatError) {
      left -= count
      guard left >= 0 else {
        throw fields.problem(field, "has more than \(RecordingLimits.packets) packets")
      }
    }
    connections = try ServerRecording.pairs(fields, "tcp") {
      pair, name, values throws(FormatError) in
      var exchanges: [ServerExchange] = []
      for (index, value) in values.enumerated() {
        let exchange = try ServerExchange(RecordingFields(value, "\(name), request \(index + 1)"))
        try take(1 + exchange.answers.count, "tcp")
        exchanges.append(exchange)
      }
      return ServerConnection(pair: pair, exchanges: exchanges)
    }
    flows = try ServerRecording.pairs(fields, "udp") { pair, name, values throws(FormatError) in
      try take(values.count, "udp")
      var datagrams: [ServerDatagram] = []
      for (index, value) in values.enumerated() {
        datagrams.append(
          try ServerDatagram(RecordingFields(value, "\(name), packet \(index + 1)")))
      }
      return ServerFlow(pair: pair, datagrams: datagrams)
    }
    guard !connections.isEmpty || !flows.isEmpty else {
      throw fields.problem("tcp", "and udp have no connection")
    }
  }

  private static func pairs<Value>(
    _ fields: RecordingFields, _ field: String,
    _ read: (ConnectionPair, String, [JSONValue]) throws(FormatError) -> Value
  ) throws(FormatError) -> [Value] {
    guard let json = fields[field] else { return [] }
    guard case .object(let object) = json else {
      throw fields.problem(field, "is not an object")
    }
    guard object.members.count <= RecordingLimits.pairs else {
      throw fields.problem(field, "has more than \(RecordingLimits.pairs) connections")
    }
    var values: [Value] = []
    for (index, member) in object.members.enumerated() {
      let name = "\(field), connection \(index + 1)"
      guard let pair = ConnectionPair(member.name) else {
        throw FormatError(name, "is not called \(ConnectionPair.form)")
      }
      guard case .array(let elements) = member.value else {
        throw FormatError(name, "is not a list")
      }
      values.append(try read(pair, name, elements))
    }
    return values
  }

  /// The file as it is written.
  public var json: JSONValue {
    func object<Part>(
      _ parts: [Part], _ pair: (Part) -> ConnectionPair, _ elements: (Part) -> [JSONValue]
    ) -> JSONValue {
      var object = JSONObject()
      for part in parts { object.append(pair(part).description, .array(elements(part))) }
      return .object(object)
    }
    return [
      "lunaRecording": .integer(Int64(ServerRecording.version)), "name": .string(name.text),
      "tcp": object(connections, \.pair) { $0.exchanges.map(\.json) },
      "udp": object(flows, \.pair) { $0.datagrams.map(\.json) },
    ]
  }
}
