import LunaJSON
import UplinkProtocol

/// What is read of a test of the network: the first byte chooses a recording with what belongs to it, what a server
/// says in a replay, what comes over a WebSocket, what both sides say over the side channel of our own, or what a client
/// says to a server of ours.
enum RecordingReading {
  static func run(_ bytes: [UInt8]) {
    guard let kind = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    switch kind % 5 {
    case 0: read(rest)
    case 1: replay(rest)
    case 2: webSocket(rest)
    case 3: sideChannel(rest)
    default: conversation(rest)
    }
  }

  /// All that comes over a WebSocket, in two parts, which must make no difference.
  private static func webSocket(_ bytes: [UInt8]) {
    guard let url = WebSocketURL("wss://luna.example/") else {
      preconditionFailure("the address is none")
    }
    var opening = WebSocketOpening(url, subprotocol: "x", key: [])
    _ = try? opening.take(bytes)
    let half = bytes.count / 2
    for role in [WebSocketRole.client, .server] {
      func actions(_ parts: [[UInt8]]) -> [WebSocketAction] {
        var session = WebSocketSession(role, limit: 1000) { 0 }
        return parts.flatMap { session.take($0) }
      }
      precondition(
        actions([bytes]) == actions([Array(bytes[..<half]), Array(bytes[half...])]),
        "frames in parts are read otherwise")
    }
  }

  /// What is said over the side channel of our own, a text on each line: to a server, and to a client.
  private static func sideChannel(_ bytes: [UInt8]) {
    var host = UplinkHost { "t0ken" }
    guard let id = host.open(token: "a", address: "192.0.2.1", cut: "192.0.2.0/24", at: 0) else {
      preconditionFailure("nobody may come")
    }
    for (second, line) in bytes.split(separator: 10).prefix(1000).enumerated() {
      let text = String(decoding: line, as: UTF8.self)
      if let request = try? SessionRequest(text) {
        precondition(
          (try? SessionRequest(request.text)) == request, "a request is written otherwise")
      }
      if let reply = try? SessionReply(text) {
        // Numbers may be longer as they are written.
        let text = reply.text
        precondition(
          text.utf8.count > SessionRequest.limit || (try? SessionReply(text)) == reply,
          "a reply is written otherwise")
      }
      _ = host.take(text, from: id, at: Double(second))
      _ = host.claim(text, .up, at: Double(second))
      _ = host.tick(at: Double(second))
    }
    precondition(host.running <= 1, "one client has several sessions")
  }

  /// All that a client of Wehe's says, in two parts, which must make no difference.
  private static func conversation(_ bytes: [UInt8]) {
    func actions(_ parts: [[UInt8]]) -> [WeheConversation.Action] {
      var (conversation, host) = (WeheConversation(), WeheHost())
      guard let id = host.open(address: "192.0.2.1", client: "192.0.2.1") else {
        preconditionFailure("nobody may come")
      }
      var all: [WeheConversation.Action] = []
      for part in parts {
        var actions = conversation.take(part)
        while !actions.isEmpty {
          let action = actions.removeFirst()
          all.append(action)
          switch action {
          case .ask(let declaration):
            precondition(
              host.permission(id, declaration, at: 0) == .allowed, "an only client has to wait")
            actions += conversation.allow("192.0.2.1", map: "{}", senders: 0)
          case .end(let samples):
            host.keep(id, samples, own: nil, at: 0, date: "")
          case .send, .close: break
          }
        }
      }
      return all
    }
    let half = bytes.count / 2
    precondition(
      actions([bytes]) == actions([Array(bytes[..<half]), Array(bytes[half...])]),
      "messages of clients in parts are read otherwise")
  }

  private static func read(_ bytes: [UInt8]) {
    if let recording = try? Recording(bytes) {
      precondition(
        (try? Recording(recording.json.bytes)) == recording, "a recording is written otherwise")
      let filler = ServerRecording(filling: recording)
      precondition((try? filler.check(against: recording)) != nil, "filler does not fit")
      if let control = recording.inverted {
        precondition(control.sentBytes == recording.sentBytes, "a control has another length")
      }
      _ = try? ReplayMap(bytes, for: recording, at: "192.0.2.1")
    }
    if let server = try? ServerRecording(bytes) {
      precondition(
        (try? ServerRecording(server.json.bytes)) == server, "a server file is written otherwise")
    }
    if let list = try? AppList(bytes) {
      precondition((try? AppList(list.json.bytes)) == list, "a list is written otherwise")
    }
    _ = try? ProfileFile(bytes)
    _ = Consent(bytes)
    _ = try? LocateAnswer(bytes)
    askForPlaces(bytes)
  }

  /// What servers of Wehe's are asked of places, and tell each other.
  private static func askForPlaces(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    var host = WeheHost()
    var form = ["userID": "a", "historyCount": "1", "testID": "0"]
    for name in ["server1Info", "server2Info", "singleServerInfo", "historyCounts", "kwargs"] {
      form[name] = text
    }
    precondition(host.locate(form, at: 0).question == nil, "a stranger has others asked")
    for name in ["clientXputs", "minRttAndDuration", "lossRatios", text] {
      form["measurementType"] = name
      form["command"] = "getMeasurements"
      _ = host.results.answer(form, at: 0)
    }
    form["command"] = "localizeResult"
    _ = host.results.answer(form, at: 0)
    _ = WeheMeasurement.result(in: bytes)
  }

  private static let recording = try? Recording(
    Array(
      """
      [[{"c_s_pair":"010.000.002.015.48080-208.085.042.032.00080","timestamp":0.5,"payload":"00",\
      "response_len":9,"response_hash":null}],[],\
      ["010.000.002.015.48080-208.085.042.032.00080"],"Pandora-05132024"]
      """.utf8))

  /// All that comes over a side channel, in two parts, which must make no difference to how it ends.
  private static func replay(_ bytes: [UInt8]) {
    guard let recording,
      let plan = ReplayPlan(
        user: "a", recording: recording, isControl: false, extra: "a", history: 0, isLast: true)
    else { preconditionFailure("the recording is none") }
    let half = bytes.count / 2
    func end(_ parts: [[UInt8]]) -> ReplaySession.State {
      var session = ReplaySession(plan, server: "192.0.2.1")
      for event in [ReplayEvent.begin, .ownAddress(bytes), .connected] { _ = session.take(event) }
      for part in parts { _ = session.take(.received(part)) }
      return session.state
    }
    precondition(
      end([bytes]) == end([Array(bytes[..<half]), Array(bytes[half...])]),
      "messages in parts are read otherwise")
    var question = AnalysisSession(plan)
    for event in [
      AnalysisEvent.begin, .timeIsOver, .answered(Array(#"{"success":true}"#.utf8)), .timeIsOver,
      .answered(bytes), .answered(bytes),
    ] { _ = question.take(event) }
  }
}
