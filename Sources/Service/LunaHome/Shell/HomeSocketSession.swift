import Diagnosis
import EventLoop
import Glibc
import LunaJSON
import LunaStore

/// A conversation with a program by `home.sock`: it calls, and is answered; it subscribes, and is told
/// what changes. A line of more than 64 KiB ends it, as does one who does not read what it is told.
struct HomeSocketSession {
  private static let longestLine = 64 * 1024
  private static let patience = timeval(tv_sec: 10, tv_usec: 0)

  private let socket: Int32
  private let home: LunaHome
  private let lines: AsyncStream<String>
  private let inlet: AsyncStream<String>.Continuation

  init(_ socket: Int32, _ home: LunaHome) {
    self.socket = socket
    self.home = home
    (lines, inlet) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(4096))
    var patience = HomeSocketSession.patience
    setsockopt(
      socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  func run() async {
    let (socket, lines) = (socket, lines)
    let writer = Task {
      let thread = Blocking(name: "luna.home-socket")
      for await line in lines {
        guard await thread.run({ UnixSocket.send(line, to: socket) }) else { break }
      }
      shutdown(socket, Int32(SHUT_RDWR))
    }
    var teller: Task<Void, Never>?
    var input = InputLines(socket, longest: HomeSocketSession.longestLine)
    reading: while let texts = await input.next() {
      for text in texts {
        guard text.utf8.count <= HomeSocketSession.longestLine else { break reading }
        guard !text.isEmpty else { continue }
        guard let json = try? JSONReader.read(Array(text.utf8)), case .object(let request) = json
        else {
          send(["error": ["code": "malformed", "reason": "the line is no JSON object"]])
          continue
        }
        if case .array(let names)? = request["subscribe"] {
          teller?.cancel()
          teller = await subscribe(names)
        } else {
          let reply = await answer(request)
          send(reply)
        }
      }
    }
    teller?.cancel()
    await teller?.value
    inlet.finish()
    await writer.value
  }

  private func send(_ json: JSONValue) {
    if case .dropped = inlet.yield(json.description) {
      // Who does not read misses something, and had better know.
      inlet.finish()
      shutdown(socket, Int32(SHUT_RDWR))
    }
  }

  private func subscribe(_ names: [JSONValue]) async -> Task<Void, Never> {
    let groups = Set(names.compactMap { if case .string(let name) = $0 { name } else { nil } })
    let changes = await home.changes()
    send([
      "type": "subscribed", "revision": .integer(await home.snapshot().revision),
      "subscribe": .array(groups.sorted().map { .string($0) }),
    ])
    return Task {
      for await change in changes where groups.contains(change.group) { send(change.json) }
    }
  }

  private func answer(_ request: JSONObject) async -> JSONValue {
    let id = request["id"] ?? .null
    do throws(HomeError) {
      return ["id": id, "result": try await call(request)]
    } catch {
      var problem: JSONObject = [
        "code": .string(error.kind.rawValue), "reason": .string(error.reason),
      ]
      if let remedy = error.remedy { problem.append("hint", .string(remedy.description)) }
      return ["id": id, "error": .object(problem)]
    }
  }

  private func call(_ request: JSONObject) async throws(HomeError) -> JSONValue {
    func text(_ name: String) throws(HomeError) -> String {
      guard case .string(let text)? = request[name] else {
        throw HomeError(.action, "\(name) is missing")
      }
      return text
    }
    switch try text("call") {
    case "do":
      let value = request["value"].flatMap { PropertyValue($0) }
      return try await home.perform(
        try text("action"), on: try text("tracker"), value: value
      ).document
    case "snooze":
      var until: Int64 = .max
      if request["until"] != nil {
        guard let time = HomeTime.microseconds(try text("until")) else {
          throw HomeError(.action, "until is no time (RFC 3339)")
        }
        until = time
      }
      try await home.snooze(try text("rule"), until: until)
    case "resume": try await home.snooze(try text("rule"), until: nil)
    case "run": try await home.run(try text("rule"))
    case "retry":
      guard case .integer(let number)? = request["notification"] else {
        throw HomeError(.action, "notification is missing")
      }
      try await home.retry(number)
    case "message": await home.message(try text("name"))
    case "state": return await home.snapshot().json
    case "rules": return .array(await home.rules().map(\.json))
    case "suspects": return await home.suspects()
    case "suspect": return try await home.suspect(try text("suspect")).json
    case "mark":
      let word: String? = try request["as"] == .null ? nil : text("as")
      return try await home.mark(try text("suspect"), as: word, by: try text("by")).json
    case "reload":
      do {
        let problems = try await home.reload()
        let isUsed = problems.allSatisfy { $0.level != .error }
        return ["used": .bool(isUsed), "problems": .integer(Int64(problems.count))]
      } catch {
        throw (error as? HomeError) ?? HomeError(.file, "\(error)")
      }
    case let name: throw HomeError(.action, "there is no call \(name)")
    }
    return true
  }
}

extension HomeChange {
  /// What it is subscribed by.
  var group: String {
    switch event {
    case .value, .tracker, .command: "tracker"
    case .firing, .held, .outcome: "rule"
    case .watch: "watch"
    case .link, .notices, .config: "home"
    }
  }
}
