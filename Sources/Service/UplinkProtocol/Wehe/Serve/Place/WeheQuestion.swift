import LunaJSON

/// What a client of Wehe's has a server locate (UPLINK.md, 9): an original that was made alone, and two at once with a
/// pair of servers.
package struct WeheQuestion: Hashable, Sendable {
  /// An original that was made with a server.
  package struct Replay: Hashable, Sendable {
    /// The server, as the client calls it.
    package let server: String
    /// How many tests the client had made.
    package let history: Int
    /// The port of the data; 0 where it is not said.
    let port: Int
  }

  /// What a question consists of.
  static let fields = [
    "userID", "testID", "server1Info", "server2Info", "singleServerInfo", "kwargs",
  ]
  private static let histories = 0...1_000_000_000

  /// Who has made them.
  package let user: String
  /// The one alone.
  let single: Replay
  /// The two at once.
  let both: [Replay]

  /// Reads a form; nil for anything that cannot be answered.
  init?(_ form: [String: String]) {
    func members(_ name: String) -> RecordingFields? {
      guard let text = form[name], let object = LocalizeSession.object(Array(text.utf8)) else {
        return nil
      }
      return try? RecordingFields(.object(object), name)
    }
    func replay(
      _ fields: RecordingFields, _ server: String, _ history: String, port: String?
    ) -> Replay? {
      guard let name = try? fields.text(server), ServerPair.isName(name),
        let count = try? fields.integer(history, in: WeheQuestion.histories)
      else { return nil }
      guard let port else { return Replay(server: name, history: count, port: 0) }
      guard let number = try? fields.integer(port, in: 1...65_535) else { return nil }
      return Replay(server: name, history: count, port: number)
    }
    guard let user = form["userID"], ReplayPlan.isID(user),
      let first = members("server1Info"), let second = members("server2Info"),
      let alone = members("singleServerInfo"),
      let one = replay(first, "server", "historyCount", port: "replayPort"),
      let other = replay(second, "server", "historyCount", port: "replayPort"),
      let single = replay(alone, "singleReplay_server", "singleReplay_historyCount", port: nil)
    else { return nil }
    self.user = user
    self.single = single
    both = [one, other]
  }

  /// By what its answer is found.
  var key: String { WeheQuestion.key(user, both.map(\.history)) }

  static func key(_ user: String, _ histories: [Int]) -> String {
    ([user] + histories.map { String($0) }).joined(separator: ";")
  }
}
