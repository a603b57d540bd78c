import Diagnosis
import Foundation
import LunaCore
import LunaCrypto
import LunaTesting
import Synchronization
import Testing

@testable import LunaClient

@Suite(.timeLimit(.minutes(10)))
struct WebhookTests {
  /// What was posted, and what is answered.
  private final class Poster: Sendable {
    let posted = Mutex<[[UInt8]]>([])
    let news = Mutex<[Webhook.News]>([])
    private let outcomes: Mutex<[DeliveryOutcome]>

    init(_ outcomes: [DeliveryOutcome] = []) { self.outcomes = Mutex(outcomes) }

    func webhook(_ clock: WallClock) -> Webhook {
      Webhook(
        post: { body, _ in
          self.posted.withLock { $0.append(body) }
          return self.outcomes.withLock { $0.isEmpty ? .delivered : $0.removeFirst() }
        }, clock: clock, report: { news in self.news.withLock { $0.append(news) } })
    }
  }

  /// A clock by which pauses are over at once.
  private static let hurried: WallClock = {
    let passed = Mutex(Duration.zero)
    return WallClock(
      now: WallClock.system.now, elapsed: { passed.withLock(\.self) },
      sleep: { pause in
        // Who waits for something to happen waits for that.
        guard pause < .seconds(600) else { return try await Task.sleep(for: pause) }
        passed.withLock { $0 += pause }
      })
  }()

  @Test func theEndPostsWhatWaits() async {
    let poster = Poster()
    let webhook = poster.webhook(.system)
    for number in 1...5 { webhook.tell([UInt8(number)]) }
    await webhook.finish(within: .seconds(600))
    #expect(poster.posted.withLock(\.self) == [[1], [2], [3], [4], [5]])
    #expect(webhook.delivered == 5)
    webhook.tell([6])
    #expect(webhook.lost == 0)
  }

  @Test func triesAgainAndTellsOfItOnce() async throws {
    let poster = Poster([
      .failed("down", retryAfter: nil), .failed("down", retryAfter: nil), .delivered,
      .refused("no"),
    ])
    let webhook = poster.webhook(WebhookTests.hurried)
    webhook.tell([1])
    while webhook.delivered < 1 { await Task.yield() }
    webhook.tell([2])
    while webhook.lost < 1 { await Task.yield() }
    // It tells of a loss when it is counted already.
    await webhook.finish(within: .seconds(600))
    #expect(poster.posted.withLock(\.self) == [[1], [1], [1], [2]])
    #expect(poster.news.withLock(\.self) == [.failing("down"), .works, .failing("no")])
  }

  /// Each one that a slow server takes makes room for one, and the next is lost again.
  @Test func saysOnceThatTooMuchWaits() async throws {
    let permits = Watched(0)
    let news = Mutex<[Webhook.News]>([])
    let webhook = Webhook(
      post: { _, _ in
        try? await permits.until { $0 > 0 }
        permits.withLock { $0 -= 1 }
        return .delivered
      }, clock: .system, report: { item in news.withLock { $0.append(item) } })
    for _ in 0...WebhookQueue.limit { webhook.tell([1]) }
    #expect(news.withLock(\.self) == [.overflowing])
    permits.withLock { $0 += 1 }
    try await waitUntil { webhook.delivered == 1 }
    for _ in 0..<2 { webhook.tell([2]) }
    #expect(webhook.lost == 2)
    #expect(news.withLock(\.self) == [.overflowing])
    // Once everything was taken, it is news again.
    permits.withLock { $0 += WebhookQueue.limit }
    try await waitUntil { webhook.delivered == 1 + WebhookQueue.limit }
    for _ in 0...WebhookQueue.limit { webhook.tell([3]) }
    #expect(news.withLock(\.self) == [.overflowing, .overflowing])
    permits.withLock { $0 += WebhookQueue.limit }
    await webhook.finish(within: .seconds(600))
  }

  @Test func theEndWaitsForNobodyWhoFails() async {
    let poster = Poster([.failed("down", retryAfter: nil)])
    let webhook = poster.webhook(.system)
    for number in 1...3 { webhook.tell([UInt8(number)]) }
    await webhook.finish(within: .seconds(600))
    #expect(poster.posted.withLock(\.self) == [[1]])
    #expect(webhook.lost == 3)
  }

  @Test func theEndWaitsForNobodyWhoHangs() async {
    let (hanging, release) = AsyncStream.makeStream(of: Void.self)
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let webhook = Webhook(
      post: { _, _ in
        ask.finish()
        for await _ in hanging {}
        return .delivered
      }, clock: WebhookTests.hurried, report: { _ in })
    for number in 1...3 { webhook.tell([UInt8(number)]) }
    for await _ in asked {}
    await webhook.finish(within: .seconds(1))
    #expect(webhook.lost == 3)
    // What comes of it later changes nothing.
    release.finish()
    await webhook.finish(within: .seconds(600))
    #expect(webhook.lost == 3 && webhook.delivered == 0)
  }

  private func outcome(of answers: [String?], _ limit: Duration = .seconds(5)) async throws -> (
    delivered: Int, lost: Int, requests: [String]
  ) {
    let server = ScriptedServer(answers)
    let webhook = Webhook(
      post: try Webhook.posting(
        to: WebhookURL(server.url + "/hook?key=1", allowsInsecure: false),
        ClientConfiguration(url: ""), .token(SecretBytes(copying: Array("pass".utf8).span))),
      clock: WebhookTests.hurried, report: { _ in })
    webhook.tell(Array("{}".utf8))
    try await waitUntil { webhook.delivered + webhook.lost > 0 }
    await webhook.finish(within: .seconds(5))
    return (webhook.delivered, webhook.lost, server.requests)
  }

  private static func answer(_ status: String, _ more: String = "") -> String {
    "HTTP/1.1 \(status)\r\n\(more)Content-Length: 0\r\nConnection: close\r\n\r\n"
  }

  @Test func whatIsSent() async throws {
    let result = try await outcome(of: [WebhookTests.answer("204 No Content")])
    #expect(result.delivered == 1)
    let request = try #require(result.requests.first)
    #expect(request.hasPrefix("POST /hook?key=1 HTTP/1.1\r\n"))
    #expect(request.contains("\r\nContent-Type: application/json\r\n"))
    #expect(request.contains("\r\nAuthorization: Bearer pass\r\n"))
    #expect(request.hasSuffix("\r\n\r\n{}"))
  }

  @Test func aBusyServerIsAskedAgain() async throws {
    let result = try await outcome(of: [
      WebhookTests.answer("429 Too Many Requests", "Retry-After: 30\r\n"),
      WebhookTests.answer("500 Oops"), "", WebhookTests.answer("200 OK"),
    ])
    #expect(result.delivered == 1)
    #expect(result.requests.count == 4)
  }

  @Test(arguments: ["301 Moved\r\nLocation: http://127.0.0.1:1/", "404 No", "401 No", "302 Away"])
  func aRefusalIsTheEndOfIt(status: String) async throws {
    let result = try await outcome(of: [
      WebhookTests.answer(status), WebhookTests.answer("200 OK"),
    ])
    #expect(result.lost == 1)
    #expect(result.requests.count == 1)
  }

  @Test func aServerThatSaysNothingIsLeft() async throws {
    let server = ScriptedServer([nil])
    let post = try Webhook.posting(
      to: WebhookURL(server.url, allowsInsecure: false),
      ClientConfiguration(url: ""), .none)
    // In the same words each time: how long it took is no news.
    let outcome = await post([], .milliseconds(50))
    #expect(outcome == .failed("it did not answer in time", retryAfter: nil))
  }

  @Test func aTokenThatCannotBeReadIsSaidAtOnce() throws {
    let error = #expect(throws: BackendError.self) {
      try Webhook(
        WebhookURL("http://127.0.0.1:1/", allowsInsecure: false),
        configuration: ClientConfiguration(url: ""), token: .file("/nowhere/token")
      ) { _ in }
    }
    #expect(error?.kind == .local)
    #expect(error?.remedy == nil)
  }
}
