import Glibc
import LunaJSON
import Synchronization
import Testing

@testable import HTTPServer

/// Streams through the real library, over loopback.
@Suite(.serialized, .timeLimit(.minutes(10))) struct EventStreamTests {
  private static func limits(heartbeat: Duration = .seconds(15)) -> HTTPLimits {
    var limits = HTTPLimits()
    limits.heartbeat = heartbeat
    return limits
  }

  @Test func eventsArriveInTheirOrderAndTheStreamEnds() async throws {
    let room = try Room()
    let client = try room.client("Last-Event-ID: 41\r\n")
    await room.joined.wait()
    #expect(room.lastIDs == ["41"])
    let head = await client.answer(until: "data: you\n\n")
    #expect(head.hasPrefix("HTTP/1.1 200 "))
    #expect(head.contains("Content-Type: text/event-stream\r\n"))
    #expect(head.contains("Cache-Control: no-store\r\n"))
    for number in 1...100 { #expect(room.tell(ServerSentEvent(data: "\(number)")) == 1) }
    let text = await client.answer(until: "data: 100\n\n")
    // Between the lines of the events are those of the chunks.
    let lines = text.utf8.split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self)
    }
    .filter { $0.hasPrefix("data:") }
    #expect(lines == (1...100).map { "data: \($0)" })
    room.all[0].close()
    #expect(!room.all[0].isOpen)
    #expect(!room.all[0].send(.heartbeat))
    // The connection goes on: the end of the answer is told by its last chunk.
    #expect(await client.answer(until: "0\r\n\r\n").hasSuffix("0\r\n\r\n"))
    await room.left.wait()
    client.get("/")
    #expect(await client.answer(until: "word").contains("word"))
    #expect(await room.listener.stop(within: .seconds(300)))
  }

  @Test func whatWasMissedComesAsOnePieceHoweverLong() async throws {
    let room = try Room(backlog: 100)
    let client = try room.client()
    await room.joined.wait()
    _ = await client.answer(until: "data: you\n\n")
    let events = (0..<10_000).map { ServerSentEvent(data: "\($0)", id: "\($0)") }
    #expect(room.all[0].send(events))
    #expect(await client.answer(until: "data: 9999\n\n").contains("data: 5000\n\n"))
    #expect(room.all[0].isOpen)
    #expect(await room.listener.stop(within: .seconds(300)))
  }

  @Test func aClientThatGoesAwayFreesItsStream() async throws {
    let room = try Room(Self.limits(heartbeat: .milliseconds(20)))
    let client = try room.client()
    await room.joined.wait()
    _ = await client.answer(until: "data: you\n\n")
    #expect(room.listener.openStreams == 1)
    client.hangUp()
    await room.left.wait()
    #expect(room.tell(.heartbeat) == 0)
    #expect(await room.listener.stop(within: .seconds(300)))
    #expect(room.listener.openStreams == 0)
    #expect(room.listener.connections == 0)
  }

  @Test func aSilentStreamHasHeartbeats() async throws {
    let room = try Room(Self.limits(heartbeat: .milliseconds(20)))
    let client = try room.client()
    #expect(await client.answer(until: ":\n\n").contains("data: you\n\n"))
    #expect(await client.answer(until: ":\n\n").contains(":\n\n"))
    #expect(await room.listener.stop(within: .seconds(300)))
  }

  @Test func headGetsNoStreamAndTheConnectionGoesOn() async throws {
    let room = try Room()
    let client = try Client(room.address)
    client.send("HEAD /stream HTTP/1.1\r\nHost: x\r\n\r\n")
    let head = await client.answer(until: "\r\n\r\n")
    #expect(head.hasPrefix("HTTP/1.1 405 ") && head.contains("\r\nAllow: GET\r\n"))
    await room.left.wait()
    #expect(room.listener.openStreams == 0)
    client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n")
    let next = await client.answer(until: "\r\n\r\n")
    #expect(next.hasPrefix("HTTP/1.1 200 ") && next.contains("\r\nContent-Length: 4\r\n"))
    client.get("/")
    #expect(await client.answer(until: "word").hasPrefix("HTTP/1.1 200 "))
    #expect(await room.listener.stop(within: .seconds(300)))
  }

  @Test func aStreamThatMayNotGoOnEndsWithItsNextHeartbeat() async throws {
    let isAllowed = Atomic(true)
    let room = try Room(Self.limits(heartbeat: .milliseconds(20))) {
      isAllowed.load(ordering: .relaxed)
    }
    let client = try room.client()
    _ = await client.answer(until: ":\n\n")
    isAllowed.store(false, ordering: .relaxed)
    await room.left.wait()
    #expect(await client.answer(until: "0\r\n\r\n").hasSuffix("0\r\n\r\n"))
    #expect(await room.listener.stop(within: .seconds(300)))
  }

  @Test func aClientThatDoesNotReadIsCutOffAndStopsNobody() async throws {
    let room = try Room()
    let (slow, quick) = (try room.client(), try room.client())
    await room.joined.wait(times: 2)
    _ = await quick.answer(until: "data: you\n\n")
    let event = ServerSentEvent(data: String(repeating: "x", count: 50_000))
    // More than the buffers of both sides of a connection can hold.
    var (sent, open) = (0, 2)
    while open == 2, sent < 10_000 {
      open = room.tell(event)
      _ = await quick.answer(until: "x\n\n")
      sent += 1
    }
    #expect(open == 1)
    await room.left.wait()
    #expect(room.tell(ServerSentEvent(data: "end")) == 1)
    #expect(await quick.answer(until: "data: end\n\n").contains("data: end\n\n"))
    slow.hangUp()
    #expect(await room.listener.stop(within: .seconds(300)))
  }

  @Test func aClientThatIsTooFarBehindReadsAFarewellAfterWholeEvents() async throws {
    let room = try Room(farewell: ServerSentEvent("reset", data: "late"))
    let slow = try room.client()
    await room.joined.wait()
    let event = ServerSentEvent(data: String(repeating: "~", count: 50_000) + "!")
    #expect(room.tell(event) == 1)
    // One that has begun is there to its end.
    let start = await slow.answer(until: "~")
    var sent = 1
    while room.tell(event) == 1, sent < 10_000 { sent += 1 }
    #expect(!room.all[0].isOpen)
    #expect(await room.all[0].drained() == false)
    let text = start + (await slow.answer(until: "0\r\n\r\n"))
    #expect(text.contains("event: reset\ndata: late\n\n"))
    // Chunks may break an event anywhere.
    let count = text.utf8.count { $0 == UInt8(ascii: "!") }
    #expect(count > 0 && count <= sent)
    #expect(text.utf8.count { $0 == UInt8(ascii: "~") } == count * 50_000)
    await room.left.wait()
    #expect(await room.listener.stop(within: .seconds(300)))
  }

  @Test func whoHasMuchToSendWaitsForTheClient() async throws {
    let room = try Room(backlog: 100)
    let client = try room.client()
    await room.joined.wait()
    _ = await client.answer(until: "data: you\n\n")
    for number in 0..<50 {
      #expect(await room.all[0].drained())
      let event = ServerSentEvent(data: "\(number)" + String(repeating: ".", count: 200))
      #expect(room.tell(event) == 1)
    }
    #expect(await client.answer(until: "data: 49.").contains("data: 48."))
    client.hangUp()
    while !room.all[0].endIfAbandoned() { await Task.yield() }
    await room.left.wait()
    #expect(await room.all[0].drained() == false)
    #expect(await room.listener.stop(within: .seconds(300)))
  }

  @Test func aServerThatStopsEndsItsStreamsEvenOfThoseWhoDoNotRead() async throws {
    let room = try Room(backlog: 64 << 20)
    let (slow, quick) = (try room.client(), try room.client())
    await room.joined.wait(times: 2)
    room.tell(ServerSentEvent(data: String(repeating: "x", count: 16 << 20)))
    async let reading = quick.answer()
    #expect(await room.listener.stop(within: .seconds(300)))
    await room.left.wait(times: 2)
    #expect(await reading.hasPrefix("HTTP/1.1 200 "))
    #expect(room.listener.connections == 0)
    slow.hangUp()
  }

  @Test func oneTooManyIsRefused() async throws {
    var limits = HTTPLimits()
    limits.streams = 1
    let room = try Room(limits)
    let first = try room.client()
    _ = await first.answer(until: "data: you\n\n")
    let second = try await room.client().answer(until: "\"instance\"")
    #expect(second.hasPrefix("HTTP/1.1 503 "))
    #expect(second.contains("tooManyStreams"))
    await room.left.wait()
    #expect(await room.listener.stop(within: .seconds(300)))
  }

  /// How many files a process may have open here.
  private static var openFiles: rlimit {
    var files = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
    return files
  }

  /// In a process of its own: libraries of other tests cannot use descriptors above 1,023.
  @Test(.enabled(if: openFiles.rlim_max >= 2500, "too few files may be open"))
  func aThousandStreamsNeedLittle() async throws {
    await #expect(processExitsWith: .success) {
      var files = Self.openFiles
      files.rlim_cur = min(files.rlim_max, 8192)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
      var limits = Self.limits(heartbeat: .seconds(600))
      limits.farewellPatience = .seconds(300)
      let room = try Room(limits, threads: 2)
      // What the first ones cost, all share.
      let first = try room.client()
      _ = await first.answer(until: "data: you\n\n")
      await room.joined.wait()
      let before = Footprint()
      let clients = try (0..<1000).map { _ in try room.client() }
      await room.joined.wait(times: 1000)
      for client in clients { _ = await client.answer(until: "data: you\n\n") }
      let open = Footprint()
      #expect(room.listener.openStreams == 1001)
      #expect(open.memory - before.memory < 64 << 20, "\((open.memory - before.memory) >> 20) MiB")
      #expect(open.serverThreads == before.serverThreads)
      // Nobody has anything to say: once those that have just sent sleep, nobody wakes up while this task does so
      // fifty times, however long that takes.
      var (wakeUps, looks) = (open.serverWakeUps, 0)
      while looks < 50 {
        try await Task.sleep(for: .milliseconds(10))
        let now = Footprint().serverWakeUps
        looks = now == wakeUps ? looks + 1 : 0
        wakeUps = now
      }
      #expect(room.tell(ServerSentEvent(data: "all")) == 1001)
      for client in clients {
        #expect(await client.answer(until: "data: all\n\n").contains("data: all\n\n"))
      }
      #expect(await room.listener.stop(within: .seconds(300)))
      await room.left.wait(times: 1001)
      #expect(room.listener.connections == 0)
      for client in clients { #expect(await client.answer().hasSuffix("0\r\n\r\n")) }
    }
  }
}
