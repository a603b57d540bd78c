import Diagnosis
import LunaJSON
import UplinkProtocol

/// Profiles, recordings and lists of apps as the commands read and show them.
enum UplinkProfiles {
  /// A file of either kind.
  static func read(_ path: String) async throws(CommandFailure) -> ProfileFile {
    let bytes = try await InputFile.read(path)
    do throws(RecordingError) {
      return try ProfileFile(bytes)
    } catch {
      let name = path == "-" ? "standard input" : path
      throw CommandFailure(
        .unreadableInput,
        "\(name) is no recording and no list of apps: \(error.diagnosis.problem)",
        hint: error.remedy?.description
          ?? "a recording is [packets, udpClientPorts, tcpPairs, replayName], a list {\"apps\":[...]}"
      )
    }
  }

  // MARK: JSON lines

  static func line(_ profile: BuiltInProfile) -> JSONObject {
    [
      "type": "profile", "kind": "builtIn", "name": .string(profile.rawValue),
      "original": .string(profile.original), "control": .string(profile.control),
      "compared": .string(profile.measure),
    ]
  }

  static func line(_ recording: Recording) -> JSONObject {
    var line: JSONObject = [
      "type": "profile", "kind": "recording", "name": .string(recording.name.text),
      "transport": .string(transport(recording)),
      "connections": .integer(Int64(connections(recording))),
      "packets": .integer(Int64(recording.packets.count)),
      "sentBytes": .integer(Int64(recording.sentBytes)),
    ]
    if let bytes = recording.answeredBytes {
      line.append("answeredBytes", .integer(Int64(bytes)))
    }
    line.append("seconds", .real(recording.seconds))
    return line
  }

  static func line(_ app: AppEntry) -> JSONObject {
    var line: JSONObject = [
      "type": "profile", "kind": app.portTest == nil ? "app" : "ports", "name": .string(app.name),
      "original": .string(app.replay.text),
    ]
    if let control = app.control { line.append("control", .string(control.text)) }
    if let category = app.category { line.append("category", .string(category)) }
    if let size = app.size { line.append("megabytes", .real(size)) }
    if let seconds = app.seconds { line.append("seconds", .real(seconds)) }
    return line
  }

  // MARK: For a person

  static func lines(_ recording: Recording) -> [String] {
    let count = recording.packets.count
    let sent = "\(number(Double(recording.sentBytes) / 1e6)) MB up"
    let answered = recording.answeredBytes.map { ", \(number(Double($0) / 1e6)) MB down" } ?? ""
    return [
      recording.name.text,
      "\(count) \(count == 1 ? "packet" : "packets") over \(transport(recording).uppercased()) "
        + "in \(number(recording.seconds)) s: \(sent)\(answered)",
    ]
  }

  static func row(_ app: AppEntry) -> [String] {
    [
      app.name, app.replay.text, app.control?.text ?? "all bits inverted", app.category ?? "",
      app.size.map(number) ?? "", app.seconds.map(number) ?? "",
    ]
  }

  private static func transport(_ recording: Recording) -> String {
    switch recording.packets {
    case .tcp: "tcp"
    case .udp: "udp"
    }
  }

  private static func connections(_ recording: Recording) -> Int {
    switch recording.packets {
    case .tcp: recording.pairs.count
    case .udp: recording.ports.count
    }
  }

  /// At most three digits after the point.
  private static func number(_ value: Double) -> String {
    let rounded = (value * 1000).rounded() / 1000
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
