import LunaJSON

/// Where the connections of a replay go at a server: `{"tcp":{ADDRESS:{PORT:[HOST,PORT]}},"udp":...}`, with
/// address and port as they were recorded.
public struct ReplayMap: Hashable, Sendable {
  /// The port at the server for each one that was recorded.
  private let ports: [RecordedEndpoint: UInt16]

  /// Reads a map.
  ///
  /// A server cannot send a client elsewhere: every host has to be empty, which is the server itself, or its
  /// address, and every port that is used one of the recording's.
  ///
  /// - Parameters:
  ///   - recording: the recording; what it does not need is not looked at.
  ///   - address: that of the server, as text.
  /// - Throws: ``ReplayError`` of kind `malformed`.
  public init(_ bytes: [UInt8], for recording: Recording, at address: String) throws(ReplayError) {
    guard bytes.count <= WeheFrame.mapLimit else {
      throw ReplayError(.malformed, "the map of ports is longer than \(WeheFrame.mapLimit) bytes")
    }
    var rules = JSONRules.strict(elements: 2)
    rules.depth = RecordingLimits.depth
    let (transport, needed): (String, Set<RecordedEndpoint>) =
      switch recording.packets {
      case .tcp(let requests): ("tcp", Set(requests.map(\.pair.server)))
      case .udp(let datagrams): ("udp", Set(datagrams.map(\.pair.server)))
      }
    var ports: [RecordedEndpoint: UInt16] = [:]
    do {
      let map = try JSONMembers(JSONReader.read(bytes, rules: rules), name: "the map of ports")
      for name in ["tcp", "udp"] {
        guard let hosts = map.optional(name) else { continue }
        for host in try JSONMembers(hosts, name: name).object.members {
          for port in try JSONMembers(host.value, name: "an address").object.members {
            let target = try ReplayMap.target(port.value, at: address)
            guard name == transport, let end = RecordedEndpoint("\(host.name).\(port.name)"),
              needed.contains(end)
            else { continue }
            guard needed.contains(where: { $0.port == target }) else {
              throw FormatError(
                "port \(end.portText)", "leads to \(target), which was not recorded")
            }
            ports[end] = target
          }
        }
      }
      guard let missing = needed.first(where: { ports[$0] == nil }) else {
        self.ports = ports
        return
      }
      throw FormatError("port \(missing.portText)", "of the recording is not in the map")
    } catch {
      throw ReplayError(.malformed, "the map of ports cannot be used: \(error)")
    }
  }

  private static func target(_ json: JSONValue, at address: String) throws(FormatError) -> UInt16 {
    guard case .array(let parts) = json, parts.count == 2, case .string(let host) = parts[0],
      let port = RecordingFields.integer(parts[1]).flatMap({ UInt16(exactly: $0) })
    else { throw FormatError("a target", "is not [host, port]") }
    guard host.isEmpty || host == address else {
      throw FormatError("a target", "is another host than the server")
    }
    return port
  }

  /// The port at the server for one that was recorded.
  public func port(for end: RecordedEndpoint) -> UInt16? { ports[end] }
}
