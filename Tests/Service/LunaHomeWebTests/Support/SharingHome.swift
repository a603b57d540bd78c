import Bluetooth
import HTTPServer
import Luna
import LunaCore
import LunaJSON
import LunaProtocol
import LunaStore
import LunaTesting
import TrackerSimulation
import WebAccess

@testable import LunaHome
@testable import LunaHomeWeb

/// The home of somebody who shares trackers: an API over it, with a token of each role.
struct SharingHome {
  struct Answer {
    let status: Int
    let json: JSONValue
    let body: [UInt8]
    let tag: String?
    /// The session that begins with it.
    var cookie: String?
  }

  /// Somebody with a browser on this machine.
  struct Visitor {
    /// The last byte of where it comes from: attempts to sign in are counted by that.
    var address: UInt8 = 1
    var host = "localhost:8470"
    var cookie = ""
    var csrf = ""
  }

  private let folder = TestFolder()
  let home: LunaHome
  private let accounts: HomeAccounts
  private let api: HomeAPI
  private var tokens: [HomeRole: String] = [:]

  /// - Parameter hasBike: whether there is a tracker of one's own, `bike`, beside a thing that is none.
  /// - Parameter server: what `server` of the file says.
  /// - Parameter contacts: what `contacts` of the file says.
  /// - Parameter mail: gets what is mailed; nil where the file has no channel for mail.
  /// - Parameter clock: what the home waits by.
  init(
    hasBike: Bool = false, server: String = "{}", contacts: JSONValue = [], mail: KeptMail? = nil,
    clock: WallClock = .system
  ) async throws {
    let state = StateDirectory(path: folder.path)
    let store = try SQLiteDeviceStore(in: state)
    if hasBike {
      var bike = Device(
        uuid: DeviceUUID(high: 1, low: 2), masterKey: MasterKey(bytes: InlineArray { UInt8($0) }),
        onboardingTimestamp: Timestamp(
          unixMilliseconds: WallClock.system.now().unixMilliseconds / 1000 * 1000), name: "bike")
      bike.firmware = 0x0102
      try await store.put([bike])
    }
    var luna = LunaSettings()
    luna.radio = try TrackerRoom(seed: 1)
    luna.store = store
    luna.state = state
    luna.clock = clock
    let beside = try await HomeStore.beside(in: state)
    let trackers = hasBike ? #"{"id": "bike", "device": "bike"}, {"id": "thing"}"# : ""
    let channel =
      #"{"id": "mail", "type": "email", "host": "mail.example.org", "from": "home@example.org"}"#
    let channels = mail == nil ? "" : channel
    let text =
      #"{"trackers": [\#(trackers)], "server": \#(server), "contacts": \#(contacts), "#
      + #""notifications": {"channels": [\#(channels)]}}"#
    let file = HomeFile(Array(text.utf8))
    var settings = HomeSettings(state: state) {
      let (merged, leftOut) = try await HomeObjects(beside).fitting(file, in: HomeSurroundings())
      return LoadedHome(
        file: file, configuration: HomeConfiguration(merged), leftOut: leftOut)
    }
    settings.hasSocket = false
    if let mail { settings.makeOutbox = { _, _ in mail } }
    home = Luna(luna).home(settings)
    try await home.start()
    accounts = HomeAccounts(beside)
    for role in HomeRole.allCases {
      tokens[role] = try await accounts.addToken(role.rawValue, role, at: WallClock.system.now())
    }
    let address = ListenAddress(host: "127.0.0.1", port: 8470)
    // A picture is the text of its codes, or after eight bytes those of its code.
    api = try HomeAPI(
      home, accounts, HomeBrowsers(HomeServerSettings(), at: address), HomeSurroundings(),
      ConsoleLogger(level: .ERROR), now: { WallClock.system.now() },
      readPicture: { $1 ? $0 : Array($0.dropFirst(8)) },
      configure: { HomeConfiguration($0) })
    await api.mindShares()
  }

  /// Makes a password for who was invited.
  func join(_ name: String, by link: RandomSecret) async throws {
    _ = try await accounts.redeem(
      link, .join, name: name, password: try PasswordHash("correct horse battery"),
      session: try RandomSecret(), agent: "test", at: WallClock.system.now())
  }

  static let password = "correct horse battery staple"

  /// Makes the first account, `ada`.
  func owner() async throws -> Visitor {
    let link = try await accounts.setupLink(at: WallClock.system.now())
    let made = await ask(
      "POST", "setup",
      [
        "secret": .string(link.text), "name": "ada", "password": .string(SharingHome.password),
      ], as: nil, from: Visitor())
    return Visitor(cookie: made.cookie ?? "", csrf: made.json["csrf"]?.text ?? "")
  }

  /// - Parameters:
  ///   - role: whose token is shown; nil for none.
  ///   - tag: what `If-Match` says.
  ///   - visitor: whose browser asks; nil for a program.
  func ask(
    _ method: String, _ path: String, _ json: JSONValue? = nil, file: [UInt8]? = nil,
    tag: String? = nil, as role: HomeRole? = .owner, from visitor: Visitor? = nil
  ) async -> Answer {
    var headers = [("Host", visitor?.host ?? "127.0.0.1:8470")]
    if let visitor {
      headers += [
        ("Origin", "http://" + visitor.host), ("Cookie", visitor.cookie),
        ("X-Luna-CSRF", visitor.csrf),
      ]
    }
    if let role, let token = tokens[role] { headers.append(("Authorization", "Bearer " + token)) }
    if json != nil { headers.append(("Content-Type", "application/json")) }
    if file != nil { headers.append(("Content-Type", "application/octet-stream")) }
    if let tag { headers.append(("If-Match", tag)) }
    let head = HTTPHead(
      method: method, target: "/api/v1/" + path,
      headers: headers.map { HTTPHeader($0.0.utf8, $0.1.utf8) })
    let response = await api.answer(
      HTTPRequest(
        id: "1", head: head, client: ClientAddress([127, 0, 0, visitor?.address ?? 1]),
        body: json?.bytes ?? file ?? []))
    return Answer(
      status: response.status, json: (try? JSONReader.read(response.body)) ?? .null,
      body: response.body, tag: response.headers.first { $0.name == "ETag" }?.value,
      cookie: response.headers.first { $0.name == "Set-Cookie" }?.value
        .split(separator: ";").first.map(String.init))
  }

  /// Keeps something as if somebody had made it when the file was another one.
  func keep(_ value: JSONValue, _ id: String, _ kind: HomeObject.Kind) async throws {
    try await HomeObjects(accounts.store).put(HomeObject(id: id, value: value), kind)
  }

  /// Makes its contact card.
  func makeCard(_ name: String) async throws -> JSONValue {
    await ask("PUT", "card", ["name": .string(name)]).json
  }

  /// Adds the card of another home, and says that its code was compared.
  ///
  /// - Returns: the code.
  func add(_ card: JSONValue, as name: String, isCompared: Bool = true) async -> String {
    let body: JSONValue = ["text": card["text"] ?? .null, "name": .string(name)]
    let code = await ask("POST", "cards", body).json["code"]?.text ?? ""
    if isCompared { _ = await ask("PUT", "cards/\(code)", ["compared": true]) }
    return code
  }
}

extension LunaHome {
  /// Whether it listens for a device.
  func isFollowing(_ device: String) -> Bool {
    luna.local().devices.contains { $0.uuid?.description == device }
  }
}
