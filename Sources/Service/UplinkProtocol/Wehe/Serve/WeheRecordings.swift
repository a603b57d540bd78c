package import LunaJSON

/// The recordings that a server of ours replays with clients of Wehe's, both sides of each.
package struct WeheRecordings: Sendable {
  private struct Entry {
    let client: Recording
    let server: ServerRecording
  }

  private var entries: [String: Entry] = [:]

  /// None.
  package init() {}

  /// How many there are.
  package var count: Int { entries.count }

  /// Adds a recording; where it has no control yet, also one with all bits inverted.
  ///
  /// - Parameter server: what the server sends; nil for as many bytes as the client waits for.
  /// - Throws: `FormatError` where the two are not the sides of one.
  package mutating func add(
    _ client: Recording, _ server: ServerRecording?
  ) throws(FormatError) {
    try server?.check(against: client)
    let server = server ?? ServerRecording(filling: client)
    entries[client.name.text] = Entry(client: client, server: server)
    guard let control = client.inverted, entries[control.name.text] == nil,
      let answers = server.inverted
    else { return }
    entries[control.name.text] = Entry(client: control, server: answers)
  }

  /// The ports on which clients connect, or send datagrams.
  package func ports(_ isStream: Bool) -> Set<UInt16> {
    Set(
      entries.values.flatMap { entry -> [UInt16] in
        switch entry.client.packets {
        case .tcp(let requests): isStream ? requests.map(\.pair.server.port) : []
        case .udp(let datagrams): isStream ? [] : datagrams.map(\.pair.server.port)
        }
      })
  }

  /// Where the connections of a replay go: to the same ports of this server. Nil where there is none of the name.
  package func map(of name: ReplayName) -> String? {
    guard let entry = entries[name.text] else { return nil }
    let (kind, ends): (String, [RecordedEndpoint]) =
      switch entry.client.packets {
      case .tcp(let requests): ("tcp", requests.map(\.pair.server))
      case .udp(let datagrams): ("udp", datagrams.map(\.pair.server))
      }
    var hosts = JSONObject()
    for (address, ends) in Dictionary(grouping: Set(ends), by: \.addressText) {
      var ports = JSONObject()
      for end in ends { ports.append(end.portText, ["", .integer(Int64(end.port))]) }
      hosts.append(address, .object(ports))
    }
    let none = JSONValue.object(JSONObject())
    let map: JSONObject = [
      "tcp": kind == "tcp" ? .object(hosts) : none, "udp": kind == "udp" ? .object(hosts) : none,
    ]
    return JSONValue.object(map).description
  }

  /// How many ports send over UDP in a replay.
  package func senders(of name: ReplayName) -> Int {
    entries[name.text]?.server.flows.count { !$0.datagrams.isEmpty } ?? 0
  }

  /// Which connection of a replay one is, by what it begins with.
  ///
  /// - Parameter others: those that are there already.
  /// - Returns: its number, and what is asked and answered on it.
  package func connection(
    of name: ReplayName, port: UInt16, beginning bytes: [UInt8], besides others: Set<Int>
  ) -> (number: Int, exchanges: [ServerExchange])? {
    guard let entry = entries[name.text] else { return nil }
    let free = entry.server.connections.indices.filter {
      entry.server.connections[$0].pair.server.port == port && !others.contains($0)
    }
    let alike = free.first { number in
      guard case .tcp(let requests) = entry.client.packets else { return false }
      let pair = entry.server.connections[number].pair
      guard let request = requests.first(where: { $0.pair == pair }) else { return false }
      let count = min(bytes.count, request.payload.count)
      return bytes.prefix(count).elementsEqual(request.payload.prefix(count))
    }
    return (alike ?? free.first).map {
      (number: $0, exchanges: entry.server.connections[$0].exchanges)
    }
  }

  /// What a port sends over UDP in a replay, besides what it sends already.
  package func flow(
    of name: ReplayName, port: UInt16, besides others: Set<Int>
  ) -> (number: Int, flow: ServerFlow)? {
    guard let flows = entries[name.text]?.server.flows else { return nil }
    let number = flows.indices.first {
      flows[$0].pair.server.port == port && !others.contains($0) && !flows[$0].datagrams.isEmpty
    }
    return number.map { (number: $0, flow: flows[$0]) }
  }
}
