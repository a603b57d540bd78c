import Glibc
import Synchronization
import Testing

@testable import HTTPServer

/// Bodies that are taken as they come and made as they go, over loopback.
@Suite(.timeLimit(.minutes(10))) struct StreamedBodyTests {
  /// What has come of bodies that nobody keeps.
  private final class Counter: Sendable {
    let bytes = Atomic(0)
    /// How many pieces had something else in them than was sent.
    let wrong = Atomic(0)
    let chosen = Atomic(0)
    /// How often a connection over TCP was looked at.
    let looks = Atomic(0)

    func look(at socket: Int32) {
      var (type, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
      guard getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &length) == 0,
        type == Int32(SOCK_STREAM.rawValue)
      else { return }
      looks.wrappingAdd(1, ordering: .relaxed)
    }

    func take(_ piece: UnsafeRawBufferPointer) -> Bool {
      bytes.wrappingAdd(piece.count, ordering: .relaxed)
      // Byte for byte it would take seconds without the optimiser, and a client that sends keeps a thread of the tasks.
      let isSame = sent.withUnsafeBytes { sent in
        guard let some = piece.baseAddress, let same = sent.baseAddress else { return true }
        return piece.count <= sent.count && memcmp(some, same, piece.count) == 0
      }
      if !isSame { wrong.wrappingAdd(1, ordering: .relaxed) }
      return true
    }

    private let sent = [UInt8](repeating: UInt8(ascii: "a"), count: StreamedBodyTests.limit)
  }

  private static let limit = 3_000_000
  private let counter: Counter
  private let listener: HTTPListener
  private let address: ListenAddress

  init() throws {
    let counter = Counter()
    self.counter = counter
    var limits = HTTPLimits()
    limits.bodyBytes = 1000
    limits.totalBodyBytes = 1000
    limits.body = { head in
      counter.chosen.wrappingAdd(1, ordering: .relaxed)
      switch head.path {
      case "/count":
        var receiver = BodyReceiver(limit: Self.limit, patience: .seconds(90)) { counter.take($0) }
        receiver.look = { counter.look(at: $0) }
        return .received(receiver)
      case "/enough":
        return .received(BodyReceiver(limit: Self.limit, patience: .seconds(90)) { _ in false })
      case "/unheard": return .unheard
      default: return .kept
      }
    }
    listener = HTTPListener(limits: limits) { request in
      switch request.head.path {
      case "/down":
        return HTTPResponse(
          200, "text/plain",
          source: Self.source(1_000_000, of: 1_000_000, look: { counter.look(at: $0) }))
      case "/short":
        return HTTPResponse(200, "text/plain", source: Self.source(1_000_000, of: 100_000))
      case "/none": return HTTPResponse(200, "text/plain", source: Self.source(0, of: 0))
      default:
        return HTTPResponse(
          200, "text/plain", Array("got \(request.receivedBytes), kept \(request.body.count).".utf8)
        )
      }
    }
    address = try listener.start(on: ListenAddress(host: "127.0.0.1", port: 0))
  }

  /// A body of so many bytes, of which there are so many: digits that go round.
  private static func source(
    _ length: Int, of count: Int, look: (@Sendable (Int32) -> Void)? = nil
  ) -> BodySource {
    let done = Atomic(0)
    return BodySource(length: length, patience: .seconds(90), look: look) { buffer in
      let start = done.load(ordering: .relaxed)
      let next = min(buffer.count, count - start)
      for index in 0..<next { buffer[index] = UInt8(48 + (start + index) % 10) }
      done.store(start + next, ordering: .relaxed)
      return next
    }
  }

  private func post(_ path: String, _ count: Int, _ client: Client) {
    client.send("POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: \(count)\r\n\r\n")
    // In pieces that fit, whatever the buffers are.
    for start in stride(from: 0, to: count, by: 10_000) {
      client.send(String(repeating: "a", count: min(10_000, count - start)))
    }
  }

  private func stop() async { #expect(await listener.stop(within: .seconds(300))) }

  @Test func bodiesAreCountedAndNotKept() async throws {
    let client = try Client(address)
    post("/count", Self.limit, client)
    #expect(await client.answer(until: "kept 0.").hasSuffix("got 3000000, kept 0."))
    #expect(counter.bytes.load(ordering: .relaxed) == Self.limit)
    #expect(counter.wrong.load(ordering: .relaxed) == 0)
    // Whoever counts may ask the kernel at each piece, and once more at the end.
    #expect(counter.looks.load(ordering: .relaxed) > 1)
    // The connection goes on, and others are kept as before.
    post("/kept", 1000, client)
    #expect(await client.answer(until: "kept 1000.").hasSuffix("got 1000, kept 1000."))
    #expect(counter.chosen.load(ordering: .relaxed) == 2)
    await stop()
  }

  @Test func chunksAreCountedWithoutWhatIsAroundThem() async throws {
    let client = try Client(address)
    client.send("POST /count HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in 0..<100 { client.send("3e8\r\n" + String(repeating: "a", count: 1000) + "\r\n") }
    client.send("0\r\n\r\n")
    #expect(await client.answer(until: "kept 0.").hasSuffix("got 100000, kept 0."))
    #expect(counter.bytes.load(ordering: .relaxed) == 100_000)
    await stop()
  }

  @Test func onesThatAreTooLargeAreRefusedBeforeTheyCome() async throws {
    let client = try Client(address)
    client.send("POST /count HTTP/1.1\r\nHost: x\r\nContent-Length: 3000001\r\n\r\n")
    #expect(await client.answer().hasPrefix("HTTP/1.1 413 "))
    #expect(counter.bytes.load(ordering: .relaxed) == 0)
    await stop()
  }

  @Test func whatIsBeyondTheLimitIsNobodys() async throws {
    let client = try Client(address)
    client.send("POST /count HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in 0..<300 { client.send("2710\r\n" + String(repeating: "a", count: 10_000) + "\r\n") }
    client.send("1\r\na\r\n0\r\n\r\n")
    #expect(await client.answer().hasPrefix("HTTP/1.1 413 "))
    #expect(counter.bytes.load(ordering: .relaxed) == Self.limit)
    await stop()
  }

  @Test(arguments: ["/enough", "/unheard"])
  func whoeverIsNotHeardGetsNoAnswer(path: String) async throws {
    let client = try Client(address)
    client.send("POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na")
    #expect(await client.answer() == "")
    // The others are.
    let other = try Client(address)
    other.get("/")
    #expect(await other.answer(until: "kept 0.").hasPrefix("HTTP/1.1 200 "))
    await stop()
  }

  @Test func answersAreMadeAsTheyAreRead() async throws {
    let client = try Client(address)
    client.get("/down")
    #expect(await client.answer(until: "\r\n\r\n").contains("\r\nContent-Length: 1000000\r\n"))
    // Behind it is the next one.
    client.get("/none")
    let text = await client.answer(until: "HTTP/1.1 200 ")
    #expect(text == String(repeating: "0123456789", count: 100_000) + "HTTP/1.1 200 ")
    #expect(await client.answer(until: "\r\n\r\n").contains("Content-Length: 0\r\n"))
    #expect(counter.looks.load(ordering: .relaxed) > 1)
    await stop()
  }

  @Test func anAnswerThatEndsTooEarlyEndsTheConnection() async throws {
    let client = try Client(address)
    client.get("/short")
    #expect(await client.answer(until: "\r\n\r\n").contains("\r\nContent-Length: 1000000\r\n"))
    #expect(await client.answer() == String(repeating: "0123456789", count: 10_000))
    await stop()
  }

  @Test func whoIsExpectedIsAnsweredHoweverBusyTheServerIs() async throws {
    await stop()
    var limits = HTTPLimits()
    limits.requests = 0
    limits.body = { head in
      var receiver = BodyReceiver(limit: 10, patience: .seconds(90)) { _ in true }
      receiver.isExpected = head.path == "/expected"
      return .received(receiver)
    }
    let busy = HTTPListener(limits: limits) { _ in
      HTTPResponse(200, "text/plain", Array("word".utf8))
    }
    let address = try busy.start(on: ListenAddress(host: "127.0.0.1", port: 0))
    let client = try Client(address)
    client.get("/expected")
    #expect(await client.answer(until: "word").hasPrefix("HTTP/1.1 200 "))
    client.get("/other")
    #expect(await client.answer(until: "\r\n\r\n").hasPrefix("HTTP/1.1 503 "))
    #expect(await busy.stop(within: .seconds(300)))
  }
}
