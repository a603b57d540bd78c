import Bluetooth
import Glibc
import HTTPServer
import LunaBackend
import LunaCore
import LunaCrypto
import LunaProtocol
import LunaTesting
import SafeText
import Testing

@testable import LunaClient

/// The client and the server as they are, over loopback.
@Suite(.timeLimit(.minutes(10))) struct WithBackendTests {
  private final class Running: Sendable {
    let server: BackendServer
    let storage: SQLiteStorage
    let url: String
    private let folder = TestFolder()

    init() async throws {
      storage = try SQLiteStorage(path: folder.path + "/backend.sqlite")
      try await storage.migrate()
      var configuration = BackendConfiguration()
      configuration.listen = ListenAddress(host: "127.0.0.1", port: 0)
      server = BackendServer(configuration, storage: storage)
      url = "http://\(try await server.start())"
    }

    func client(_ role: TokenRole, _ name: String) async throws -> BackendClient {
      let token = try AccessToken(role)
      try await storage.add(try token.record(name: name, at: SystemTime.now()))
      return try client(.token(SecretBytes(copying: Array(token.text.utf8).span)))
    }

    func client(_ token: TokenSource) throws -> BackendClient {
      var configuration = ClientConfiguration(url: url)
      configuration.proxy = "-"
      return try BackendClient(configuration, token: token)
    }
  }

  private func event(_ number: UInt64) -> TrackerEvent {
    TrackerEvent(
      heid: HEID(high: number, low: number), encodedLocation: [UInt8](repeating: 1, count: 61),
      esf: ESF(value: 5), day: Day(SystemTime.now()))
  }

  @Test func sightingsGoUpAndCommandsComeBack() async throws {
    let running = try await Running()
    let gateway = try await running.client(.gateway, "kitchen")
    let owner = try await running.client(.owner, "me")
    // Large enough to be sent as gzip.
    let events = (0..<50).map { event($0) }
    let first = try await gateway.upload(
      EventBatch(events, gateway: GatewayReport(version: "1", uptime: 2, queueDepth: 3)))
    #expect(first.outcomes == events.map { _ in .accepted })
    let second = try await gateway.upload(EventBatch(Array(events[..<2])))
    #expect(second.outcomes == [.duplicate, .duplicate])

    // It may be midnight meanwhile.
    let days = events[0].day...Day(SystemTime.now())
    let page = try await owner.events(EventQuery(events.map(\.heid), days: days))
    #expect(Set(page.events.map(\.event)) == Set(events))
    #expect(page.cursor == nil)

    var bytes: [UInt8] = [1, 1, 0, 10, 0, 0, 0, 1]
    let key = events[7].heid.bytes
    for index in key.indices { bytes.append(key[index]) }
    bytes += [0, 0, 1, 0] + [UInt8](repeating: 7, count: 16)
    let package = ControlPackage(bytes.span)!
    let end = Timestamp(microseconds: SystemTime.now().microseconds + 60_000_000)
    let command = try await owner.submit([package], expiresAt: end)
    #expect(command.state == .queued)
    let third = try await gateway.upload(EventBatch([events[7]]))
    #expect(third.commandRequests.map(\.requestID) == [command.requestID])
    #expect(third.commandRequests.first?.packages == [package])
    #expect(third.commandRequests.first?.expiresAt == end)
    #expect(try await owner.status(of: command.requestID).state == .offered)
    let confirmation = CommandConfirmation(
      requestID: command.requestID, heid: package.heid, outcome: .done,
      receipt: [UInt8](repeating: 3, count: 17))
    try await gateway.confirm(confirmation)
    try await gateway.confirm(confirmation)
    let status = try await owner.status(of: command.requestID)
    #expect(status.state == .confirmed)
    #expect(status.receipt == confirmation.receipt)
    #expect(try await owner.commands().map(\.requestID) == [command.requestID])
    let over = try await owner.cancel(command.requestID)
    #expect(over.state == .confirmed && over.cancelledAt == nil, "it was delivered")
    let another = try await owner.submit([package], expiresAt: end)
    let cancelled = try await owner.cancel(another.requestID)
    #expect(cancelled.state == .cancelled && cancelled.cancelledAt != nil)
    #expect(cancelled.firstHeid == package.heid && cancelled.offeredUntil == nil)
    #expect(try await owner.status(of: another.requestID) == cancelled)
    await #expect {
      try await owner.cancel("nothing")
    } throws: { ($0 as? BackendError)?.kind == .notFound }
    await running.server.stop()
  }

  @Test func aGatewayEnrolsOnceAndIsRevokedAtOnce() async throws {
    let running = try await Running()
    let code = try EnrolmentCode()
    let end = Timestamp(microseconds: SystemTime.now().microseconds + 60_000_000)
    try await running.storage.add(try code.record(name: "kitchen", until: end))
    let stranger = try running.client(.none)
    let (name, text) = try await stranger.enrol(code: code.text)
    #expect(name == "kitchen")
    await #expect {
      try await stranger.enrol(code: code.text)
    } throws: { ($0 as? BackendError)?.kind == .refused }
    let gateway = try running.client(.token(SecretBytes(copying: Array(text.utf8).span)))
    #expect(try await gateway.upload(EventBatch([event(1)])).outcomes == [.accepted])
    // What the token is not for.
    let today = Day(SystemTime.now())
    await #expect {
      try await gateway.events(EventQuery([], days: today...today))
    } throws: { ($0 as? BackendError)?.status == 403 }
    let id = try #require(try await running.storage.tokens().first).id
    #expect(try await running.storage.revoke(id, at: SystemTime.now()))
    await #expect {
      try await gateway.upload(EventBatch([event(2)]))
    } throws: { ($0 as? BackendError)?.status == 401 }
    await running.server.stop()
  }
}
