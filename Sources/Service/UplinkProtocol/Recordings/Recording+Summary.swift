package import LunaJSON

extension Recording {
  /// What is in it, as a line of JSON.
  package var summary: JSONObject {
    var line: JSONObject = [
      "type": "profile", "kind": "recording", "name": .string(name.text),
      "transport": .string(transport), "connections": .integer(Int64(connections)),
      "packets": .integer(Int64(packets.count)), "sentBytes": .integer(Int64(sentBytes)),
    ]
    if let answeredBytes { line.append("answeredBytes", .integer(Int64(answeredBytes))) }
    line.append("seconds", .real(seconds))
    return line
  }

  /// What is in it for a person: its name, and the rest.
  package var lines: [String] {
    let count = packets.count
    let sent = "\(ShortNumber.text(Double(sentBytes) / 1e6)) MB up"
    let answered = answeredBytes.map { ", \(ShortNumber.text(Double($0) / 1e6)) MB down" } ?? ""
    return [
      name.text,
      "\(count) \(count == 1 ? "packet" : "packets") over \(transport.uppercased()) "
        + "in \(ShortNumber.text(seconds)) s: \(sent)\(answered)",
    ]
  }

  private var transport: String {
    switch packets {
    case .tcp: "tcp"
    case .udp: "udp"
    }
  }

  private var connections: Int {
    switch packets {
    case .tcp: pairs.count
    case .udp: ports.count
    }
  }
}
