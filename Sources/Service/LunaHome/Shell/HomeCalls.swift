import Diagnosis
import EventLoop
import Glibc
package import LunaJSON

/// A conversation with a home that runs on this machine, by its socket.
package actor HomeCalls {
  private let socket: Int32
  private var input: InputLines
  private var waiting: [JSONObject] = []
  private var lastID: Int64 = 0

  /// - Parameter state: the directory that the home keeps its state in.
  /// - Throws: ``HomeCallError`` of kind `denied` or `notRunning`.
  package init(state: String) throws(HomeCallError) {
    do throws(UnixSocketFailure) {
      socket = try UnixSocket.connect(in: state, name: "home.sock")
    } catch {
      switch error.code {
      case EACCES, EPERM:
        throw HomeCallError(
          .denied, "the home in \(state) belongs to somebody else: \(error.text)",
          remedy: "run this as its user, or as root")
      default:
        throw HomeCallError(.notRunning, "no home runs in \(state)", remedy: "start one")
      }
    }
    input = InputLines(socket)
  }

  deinit { close(socket) }

  /// A conversation with the home that runs; nil where none does.
  ///
  /// - Throws: ``HomeCallError`` of kind `denied`.
  package static func running(in state: String) throws(HomeCallError) -> HomeCalls? {
    do throws(HomeCallError) {
      return try HomeCalls(state: state)
    } catch {
      guard error.kind == .notRunning else { throw error }
      return nil
    }
  }

  /// Calls, and gives what is answered.
  ///
  /// - Throws: ``HomeCallError`` of kind `ended`, `unreadable` or `refused`.
  package func call(
    _ name: String, _ members: JSONObject
  ) async throws(HomeCallError) -> JSONValue {
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
  package func subscribe(_ groups: [String]) throws(HomeCallError) {
    try send(["subscribe": .array(groups.map { .string($0) })])
  }

  /// The next change.
  package func next() async throws(HomeCallError) -> JSONObject {
    waiting.isEmpty ? try await read() : waiting.removeFirst()
  }

  private var lines: [String] = []

  private func read() async throws(HomeCallError) -> JSONObject {
    if lines.isEmpty {
      var reader = input
      let new = await reader.next()
      input = reader
      guard let new else { throw HomeCalls.ended }
      lines = new
    }
    guard let json = try? JSONReader.read(Array(lines.removeFirst().utf8)),
      case .object(let object) = json
    else { throw HomeCallError.unreadable }
    return object
  }

  private func send(_ json: JSONValue) throws(HomeCallError) {
    guard UnixSocket.send(json.description, to: socket) else {
      throw HomeCalls.ended
    }
  }

  private static let ended = HomeCallError(
    .ended, "the home has ended", remedy: "what it said last tells why; start it again")

  private static func failure(_ line: JSONObject) -> HomeCallError {
    guard case .object(let error)? = line["error"], case .string(let reason)? = error["reason"],
      case .string(let code)? = error["code"]
    else { return .unreadable }
    var remedy: Remedy?
    if case .string(let text)? = error["hint"] { remedy = Remedy(text) }
    return HomeCallError(.refused(HomeError.Kind(rawValue: code)), reason, remedy: remedy)
  }
}
