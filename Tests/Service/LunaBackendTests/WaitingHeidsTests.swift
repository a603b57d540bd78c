import Bluetooth
import HTTPServer
import LunaCore
import LunaJSON
import LunaProtocol
import LunaWire
import Testing

@testable import LunaBackend

/// Uploads ask a database that processes share for commands only where there may be some.
@Suite(.needsPostgreSQL, .timeLimit(.minutes(10))) struct WaitingHeidsTests {
  private let start = ContinuousClock.now
  private let heids = (0..<6).map { Samples.heid($0) }

  /// A database, and a process on it.
  private func database() async throws -> (settings: String, storage: PostgreSQLStorage) {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newDatabase()
    let storage = try PostgreSQLStorage(settings)
    try await storage.prepare()
    return (settings, storage)
  }

  private func submit(_ number: Int, _ storage: PostgreSQLStorage) async throws -> RequestID {
    let command = try Samples.command([Samples.package(number)])
    try await storage.submit(command, openLimit: 100)
    return command.id
  }

  private func read(
    _ waiting: WaitingHeids, _ storage: PostgreSQLStorage, after seconds: Int
  ) async throws {
    try await waiting.read(storage, at: Samples.now, start + .seconds(seconds))
  }

  /// The numbers of those of which commands may wait.
  private func candidates(_ waiting: WaitingHeids, after seconds: Int) -> [Int] {
    let found = waiting.candidates(among: heids, at: start + .seconds(seconds))
    return heids.indices.filter { found.contains(heids[$0]) }
  }

  @Test func leavesOutThoseWithoutACommandAfterAMinute() async throws {
    let (_, storage) = try await database()
    let waiting = WaitingHeids()
    _ = try await submit(1, storage)
    let all = Array(heids.indices)
    for seconds in [0, 1, 59] {
      try await read(waiting, storage, after: seconds)
      #expect(candidates(waiting, after: seconds) == all)
    }
    try await read(waiting, storage, after: 60)
    #expect(candidates(waiting, after: 60) == [1])
    // What another process has taken, and what this one has.
    _ = try await submit(2, storage)
    waiting.note([heids[3]])
    #expect(candidates(waiting, after: 60) == [1, 3])
    try await read(waiting, storage, after: 61)
    #expect(candidates(waiting, after: 61) == [1, 2, 3])
    // While nothing can be read, all are asked for.
    #expect(candidates(waiting, after: 65) == [1, 2, 3])
    #expect(candidates(waiting, after: 66) == all)
  }

  /// A command is seen when it is committed, and has its number before: others may come in between.
  @Test func hearsOfThoseThatWereCommittedLate() async throws {
    let (settings, storage) = try await database()
    let waiting = WaitingHeids()
    for seconds in [0, 60] { try await read(waiting, storage, after: seconds) }
    let late = PostgreSQLConnection(settings)
    let command = try Samples.command([Samples.package(1)])
    try late.execute("BEGIN")
    _ = try late.run(
      "INSERT INTO luna.commands(id, owner, created, expires) VALUES($1, 'you', 0, $2)",
      [.bytes(command.id.bytes), .integer(command.expiresAt.microseconds)])
    _ = try late.run(
      "INSERT INTO luna.packages(heid, command, data) VALUES($1, $2, '')",
      [.bytes(heids[1].bytes.span.array), .bytes(command.id.bytes)])
    _ = try await submit(2, storage)
    for seconds in 61...100 { try await read(waiting, storage, after: seconds) }
    #expect(candidates(waiting, after: 100) == [2])
    try late.execute("COMMIT")
    try await read(waiting, storage, after: 101)
    #expect(candidates(waiting, after: 101) == [1, 2])
  }

  @Test func forgetsWhatIsOverAfterAnHour() async throws {
    let (_, storage) = try await database()
    let waiting = WaitingHeids()
    let first = try await submit(1, storage)
    for number in 2..<40 { _ = try await submit(number, storage) }
    for seconds in [0, 60] { try await read(waiting, storage, after: seconds) }
    _ = try await storage.cancel(first, of: "me", at: Samples.now)
    try await read(waiting, storage, after: 3659)
    #expect(candidates(waiting, after: 3659) == [1, 2, 3, 4, 5])
    try await read(waiting, storage, after: 3660)
    #expect(candidates(waiting, after: 3660) == [2, 3, 4, 5])
  }

  /// As where a server takes over that has not all that another one had.
  @Test func beginsAnewWhereNumbersComeAgain() async throws {
    let (settings, storage) = try await database()
    let waiting = WaitingHeids()
    _ = try await submit(1, storage)
    for seconds in [0, 60] { try await read(waiting, storage, after: seconds) }
    #expect(candidates(waiting, after: 60) == [1])
    try PostgreSQLConnection(settings).execute("DELETE FROM luna.commands")
    try await read(waiting, storage, after: 61)
    #expect(candidates(waiting, after: 61) == Array(heids.indices))
    try await read(waiting, storage, after: 121)
    #expect(candidates(waiting, after: 121).isEmpty)
  }

  @Test func uploadsGoByIt() async throws {
    let (settings, storage) = try await database()
    let token = try AccessToken(.gateway)
    try await storage.add(try token.record(name: "kitchen", at: Samples.now))
    var configuration = BackendConfiguration()
    configuration.now = { Samples.now }
    let api = API(
      configuration, storage, Metrics(), .none, StorageOutage(.none), BrowserGuard(.off))
    func offered() async throws -> Int {
      let body = JSONValue.array([Samples.event(1).json])
      let answer = await api.answer(
        HTTPRequest(
          id: "1",
          head: HTTPHead(
            method: "POST", target: "/trackerEvent", version: "HTTP/1.1",
            headers: [
              HTTPHeader("authorization".utf8, "Bearer \(token.text)".utf8),
              HTTPHeader("content-type".utf8, "application/json".utf8),
            ]),
          client: ClientAddress([127, 0, 0, 1]), body: Array(body.description.utf8)))
      guard case .object(let reply) = try JSONReader.read(answer.body),
        case .array(let requests)? = reply["commandRequests"]
      else {
        Issue.record("no reply: \(answer.status)")
        return -1
      }
      return requests.count
    }
    // As if it were later: nothing is too old then, however long this takes.
    for seconds in [0, 2000] { await api.readCommands(at: start + .seconds(seconds)) }
    // Another process takes a command, of which this one has not heard yet.
    _ = try await submit(1, PostgreSQLStorage(settings))
    #expect(try await offered() == 0)
    await api.readCommands(at: start + .seconds(2001))
    #expect(try await offered() == 1)
  }
}
