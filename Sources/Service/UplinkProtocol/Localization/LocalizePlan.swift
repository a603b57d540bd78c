import LunaJSON
import SafeText

/// What a server of Wehe's is told of a localization (UPLINK.md, 9).
package struct LocalizePlan: Sendable {
  /// Who makes it.
  package let user: String
  /// The server of the replay alone, and which test that was.
  package let single: (server: String, history: Int)
  /// The history counts of the two replays at once.
  package let histories: (first: Int, second: Int)
  /// The port of the recording; nil where it has none.
  package let port: UInt16?
  /// What is replayed.
  package let replay: String

  /// A plan.
  ///
  /// - Parameters:
  ///   - single: where the replay alone was made, and its history count.
  ///   - history: how many tests were made with both replays at once: they are the last two.
  package init(
    user: String, single: (server: String, history: Int), history: Int, recording: Recording
  ) {
    let port =
      switch recording.packets {
      case .tcp(let requests): requests.first?.pair.server.port
      case .udp(let datagrams): datagrams.first?.pair.server.port
      }
    self.init(
      user: user, single: single, history: history, port: port, replay: recording.name.text)
  }

  init(
    user: String, single: (server: String, history: Int), history: Int, port: UInt16?,
    replay: String
  ) {
    self.user = user
    self.single = single
    histories = (history - 1, history)
    self.port = port
    self.replay = replay
  }

  /// The question to begin, as a form.
  ///
  /// - Throws: `noReplayPort`, or `notSerializable` where a server has no name that can be written.
  func form(_ servers: ServerPair) throws(LocalizationError) -> String {
    guard let port else { throw LocalizationError(.noReplayPort) }
    func info(_ server: String, _ history: Int) -> JSONValue {
      [
        "server": .string(server), "historyCount": .string(String(history)),
        "replayPort": .string(RecordedEndpoint.text(ofPort: port)), "replayName": .string(replay),
      ]
    }
    let members: [(String, JSONValue)] = [
      ("server1Info", info(servers.first, histories.first)),
      ("server2Info", info(servers.second, histories.second)),
      (
        "singleServerInfo",
        [
          "singleReplay_userID": .string(user), "singleReplay_server": .string(single.server),
          "singleReplay_historyCount": .string(String(single.history)),
        ]
      ), ("kwargs", [:]),
    ]
    var form = "command=localize&userID=\(user)&testID=0"
    for (name, value) in members {
      // A null byte, or nothing at all, is no name of a server.
      guard !value.description.contains(text: "\\u00"), single.server != "" else {
        throw LocalizationError(.notSerializable)
      }
      form += "&\(name)=\(LocalizePlan.escaped(value.bytes))"
    }
    return form
  }

  /// The question for what came of it.
  var query: String {
    let counts = LocalizePlan.escaped(Array("[\(histories.first), \(histories.second)]".utf8))
    return "command=localizeResult&userID=\(user)&historyCounts=\(counts)&testID=0"
  }

  /// Bytes in a form or a query (RFC 3986, 2.1).
  static func escaped(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      if JSONMembers.isWord(String(UnicodeScalar(byte))) {
        text.append(byte)
      } else {
        text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
