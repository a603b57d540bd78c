import Bluetooth
import Dispatch
import Glibc
import LunaCore

@testable import HTTPServer
@testable import LunaBackend

/// Requests to a backend, from their head on: the checks, and every endpoint, with a token of either
/// kind. A request is a method, a target, headers and a body, each behind a length of two bytes.
enum BackendRun {
  private struct Server: Sendable {
    let api: API
    let tokens: [String]
  }

  private static let server: Server = wait {
    let storage: any Storage
    do {
      // A file, as in earnest: each connection to `:memory:` has a database of its own.
      let directory = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
      storage = try StorageLocation.sqlite("\(directory)/luna-fuzz-\(getpid()).db").open()
      try await storage.migrate()
    } catch { fatalError("\(error)") }
    var configuration = BackendConfiguration()
    configuration.requestsPerSecond = 1_000_000_000
    configuration.eventsPerSecond = 1_000_000_000
    var tokens: [String] = []
    for role in TokenRole.allCases {
      do {
        let token = try AccessToken(role)
        try await storage.add(
          try token.record(name: "fuzz", at: configuration.now()))
        tokens.append(token.text)
      } catch { fatalError("\(error)") }
    }
    let outage = StorageOutage(.none)
    return Server(
      api: API(configuration, storage, Metrics(), .none, outage, BrowserGuard(.off)), tokens: tokens
    )
  }

  private static func wait<Value: Sendable>(
    _ body: @escaping @Sendable () async -> Value
  ) -> Value {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var value: Value?
    Task.detached {
      value = await body()
      done.signal()
    }
    done.wait()
    guard let value else { fatalError("no value") }
    return value
  }

  @Sendable static func run(_ bytes: [UInt8]) {
    var script = ScriptReader(bytes)
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    func field() -> [UInt8] { script.take(Int(script.byte()) << 8 | Int(script.byte())) }
    let flags = script.byte()
    let method = text(field())
    let target = text(field())
    var headers: [HTTPHeader] = []
    for line in field().split(separator: UInt8(ascii: "\n")) {
      let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      headers.append(HTTPHeader(parts.first ?? [], parts.last ?? []))
    }
    let tokens = server.tokens
    let token = tokens[Int(flags >> 4) % tokens.count]
    headers.append(HTTPHeader("authorization".utf8, "Bearer \(token)".utf8))
    let head = HTTPHead(
      method: method, target: target, version: flags & 1 == 0 ? "HTTP/1.1" : "HTTP/1.0",
      headers: headers)
    _ = RequestCheck.problem(with: head, limits: HTTPLimits())
    let request = HTTPRequest(
      id: "fuzz", head: head, client: ClientAddress([127, 0, 0, 1]), body: script.rest())
    let status = wait { [api = server.api] in await api.answer(request).status }
    precondition(status != 500, "the server failed")
  }
}
