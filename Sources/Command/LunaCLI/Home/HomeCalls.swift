import EventLoop
import Glibc
import LunaHome
import LunaJSON

/// A conversation with the home that runs, by its socket.
actor HomeCalls {
  private let socket: Int32
  private var input: InputLines
  private var waiting: [JSONObject] = []
  private var lastID: Int64 = 0

  /// - Throws: ``CommandFailure`` when no home runs there.
  init(state: String) throws(CommandFailure) {
    do throws(UnixSocketFailure) {
      socket = try UnixSocket.connect(in: state, name: "home.sock")
    } catch {
      switch error.code {
      case EACCES, EPERM:
        throw CommandFailure(
          .noPermission, "the home in \(state) belongs to somebody else: \(error.text)",
          hint: "run this as its user, or as root")
      default:
        throw CommandFailure(
          .backend, "no home runs in \(state)", hint: "start one with: luna home run")
      }
    }
    input = InputLines(socket)
  }

  deinit { close(socket) }

  /// A conversation with the home that runs; nil where none does.
  static func running(in state: String) throws(CommandFailure) -> HomeCalls? {
    do throws(CommandFailure) {
      return try HomeCalls(state: state)
    } catch {
      guard error.code == .backend else { throw error }
      return nil
    }
  }

  /// Calls, and gives what is answered.
  func call(_ name: String, _ members: JSONObject) async throws -> JSONValue {
    lastID += 1
    var request: JSONObject = ["id": .integer(lastID), "call": .string(name)]
    for member in members.members { request.append(member.name, member.value) }
    try send(.object(request))
    while true {
      let line = try await read()
      guard line["id"] == .integer(lastID) else {
        waiting.append(line)
        continue
      }
      if let result = line["result"] { return result }
      throw HomeCalls.failure(line)
    }
  }

  /// Has it tell what changes.
  func subscribe(_ groups: [String]) throws {
    try send(["subscribe": .array(groups.map { .string($0) })])
  }

  /// The next change.
  func next() async throws -> JSONObject {
    waiting.isEmpty ? try await read() : waiting.removeFirst()
  }

  private var lines: [String] = []

  private func read() async throws -> JSONObject {
    if lines.isEmpty {
      var reader = input
      let new = await reader.next()
      input = reader
      guard let new else { throw HomeCalls.ended }
      lines = new
    }
    guard let json = try? JSONReader.read(Array(lines.removeFirst().utf8)),
      case .object(let object) = json
    else { throw HomeCalls.unreadable }
    return object
  }

  private func send(_ json: JSONValue) throws {
    guard UnixSocket.send(json.description, to: socket) else {
      throw HomeCalls.ended
    }
  }

  private static let ended = CommandFailure(
    .backend, "the home has ended",
    hint: "what it said last tells why; start it again with: luna home run")

  static let unreadable = CommandFailure(
    .backend, "the home's answer cannot be read",
    hint: "it may be of another version of luna: start it again with this one")

  private static func failure(_ line: JSONObject) -> CommandFailure {
    guard case .object(let error)? = line["error"], case .string(let reason)? = error["reason"],
      case .string(let code)? = error["code"]
    else { return unreadable }
    var hint: String?
    if case .string(let text)? = error["hint"] { hint = text }
    return CommandFailure(
      HomeError.Kind(rawValue: code).map { ExitCode($0) } ?? .backend, reason, hint: hint)
  }
}
