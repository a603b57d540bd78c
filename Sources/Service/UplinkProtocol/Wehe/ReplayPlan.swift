import LunaJSON

/// What a client tells a server of one replay (UPLINK.md, 5.1).
public struct ReplayPlan: Sendable {
  /// The version of the protocol that is spoken.
  private static let version = "1.0"

  /// Who tests: 1 to 64 letters, digits, `@`, `_` and `-`.
  public let user: String
  /// What is replayed.
  public private(set) var recording: Recording
  /// Whether it is the control.
  public private(set) var isControl: Bool
  /// A word that the server keeps: like `user`.
  public let extra: String
  /// How many tests this user has made.
  public let history: Int
  /// Whether no replay of this test follows.
  public private(set) var isLast: Bool
  /// Whether it is a test of ports, which is shorter.
  public let isPortTest: Bool
  /// What kind of link it is, if that is told; never a place.
  public let link: String?

  /// A replay; nil when `user` or `extra` is no such word, or `history` below 0.
  public init?(
    user: String, recording: Recording, isControl: Bool, extra: String, history: Int, isLast: Bool,
    isPortTest: Bool = false, link: String? = nil
  ) {
    guard ReplayPlan.isID(user), ReplayPlan.isID(extra), history >= 0 else { return nil }
    self.user = user
    self.recording = recording
    self.isControl = isControl
    self.extra = extra
    self.history = history
    self.isLast = isLast
    self.isPortTest = isPortTest
    self.link = link
  }

  /// The same for another replay of the test.
  package func replay(of recording: Recording, isControl: Bool, isLast: Bool) -> ReplayPlan {
    var plan = self
    plan.recording = recording
    plan.isControl = isControl
    plan.isLast = isLast
    return plan
  }

  /// Whether a text is 1 to 64 letters, digits, `@`, `_` and `-` (UPLINK.md, 13).
  public static func isID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        $0 == UInt8(ascii: "@") || JSONMembers.isWord(String(UnicodeScalar($0)))
      }
  }

  /// How long the data may take, s.
  public var limit: Int {
    if isPortTest { return 30 }
    switch recording.packets {
    case .tcp: return 45
    case .udp: return 40
    }
  }

  /// The data of the replay, as a machine.
  ///
  /// - Parameter isTimed: whether packets go no earlier than they were recorded.
  public func transfer(isTimed: Bool) -> any ReplayTransfer {
    switch recording.packets {
    case .tcp(let requests): TCPTransfer(requests, isTimed: isTimed, limit: Double(limit))
    case .udp(let datagrams): UDPTransfer(datagrams, isTimed: isTimed, limit: Double(limit))
    }
  }

  /// The first message: user;test;replay;extra;history;endOfTest;ownAddress;version.
  func declaration(ownAddress: String) -> String {
    [
      user, isControl ? "1" : "0", recording.name.text, extra, String(history),
      isLast ? "True" : "False", ownAddress, ReplayPlan.version,
    ].joined(separator: ";")
  }

  /// The messages about this machine. A server stops where a member is missing.
  var facts: [String] {
    guard let link else { return ["NoMobileStats"] }
    let facts: JSONValue = [
      "manufacturer": "nil", "model": "nil", "carrierName": "nil", "networkType": .string(link),
      "cellInfo": "nil", "os": ["INCREMENTAL": "nil", "RELEASE": "nil", "SDK_INT": "nil"],
      "locationInfo": ["latitude": "nil", "longitude": "nil"],
    ]
    return ["WillSendMobileStats", facts.description]
  }
}
