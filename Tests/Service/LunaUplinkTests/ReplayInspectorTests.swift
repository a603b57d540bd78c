import LunaTesting
import Testing

@testable import LunaUplink
@testable import UplinkProtocol

/// Replays of which bytes are changed, against a scripted server on loopback.
@Suite(.timeLimit(.minutes(10))) struct ReplayInspectorTests {
  private static let answer = 100_000

  private let side: TestServer
  private let data: TestServer
  private let heard = Watched<[[UInt8]]>([])

  init() throws {
    side = try TestServer()
    data = try TestServer()
  }

  private func inspector(
    volume: Int64 = 0, sidePort: UInt16? = nil, of other: Recording? = nil
  ) async throws -> ReplayInspector {
    let end = try #require(RecordedEndpoint(address: 0x7F00_0001, port: data.port))
    let pair = ConnectionPair(
      client: try #require(RecordedEndpoint(address: 0x7F00_0001, port: 40_000)), server: end)
    let usual = Recording(
      name: try #require(ReplayName("Luna-11252026")), pairs: [pair],
      requests: [
        RecordedRequest(
          pair: pair, time: 0, payload: Array("hello".utf8),
          answerLength: ReplayInspectorTests.answer, answerHash: nil)
      ])
    let recording = other ?? usual
    var client = WeheClient(try await ServerAddress.find("127.0.0.1"))
    client.sideChannelPort = sidePort ?? side.port
    let plan = try #require(
      ReplayPlan(
        user: "me", recording: recording, isControl: false, extra: "0", history: 1, isLast: false))
    return ReplayInspector(
      client, plan, control: try #require(recording.inverted), InspectedBytes(recording),
      volume: volume)
  }

  /// A replay's side channel and data; `script` answers the request.
  private func serve(_ script: @escaping @Sendable (TestSocket) -> Void) throws {
    let end = try #require(RecordedEndpoint(address: 0x7F00_0001, port: data.port))
    let map = #"{"tcp":{"127.000.000.001":{"\#(end.portText)":["",\#(data.port)]}}}"#
    side.serve(1) { socket in
      for (count, answers) in [(2, ["1;127.0.0.1;20"]), (2, [map, "0"]), (2, ["OK"]), (1, ["OK"])] {
        for _ in 0..<count { _ = socket.message() }
        for answer in answers { socket.say(answer) }
      }
    }
    data.serve(2) { socket in
      let head = socket.receive(5)
      if head == Array("GET /".utf8) {
        _ = socket.receive("WHATSMYIPMAN HTTP/1.1\r\nHost: x\r\n\r\n".utf8.count)
        socket.send("HTTP/1.1 200 OK\r\n\r\n127.0.0.1")
      } else {
        heard.withLock { $0.append(head) }
        script(socket)
      }
    }
  }

  @Test func changesBytesAndMeasures() async throws {
    try serve { $0.send([UInt8](repeating: 7, count: ReplayInspectorTests.answer)) }
    let (record, used) = try await inspector().replay(.probe(.bytes([1..<2, 3..<5])))
    #expect(heard.value == [[0x68, 0x9A, 0x6C, 0x93, 0x90]])
    let data = ReplayInspectorTests.answer + 5
    #expect(record.bytes == data && record.kind == .original && used > Int64(data))
    guard case .measured(let rate) = record.outcome else {
      Issue.record("\(record.outcome)")
      return
    }
    #expect(rate > 0 && rate <= Double(data) / SlotRecord.least)
  }

  /// What comes over UDP is measured; what goes is used as well.
  @Test func whatGoesOverUDPIsUsed() async throws {
    let datagrams = try TestDatagrams()
    let end = try #require(RecordedEndpoint(address: 0x7F00_0001, port: datagrams.port))
    let payload = String(repeating: "07", count: 1_000)
    let text =
      #"[[{"c_s_pair":"127.000.000.001.40000-\#(end)","timestamp":0,"payload":"\#(payload)","#
      + #""end":true}],["40000"],[],"Luna-11252026"]"#
    let recording = try Recording(Array(text.utf8))
    let map = #"{"udp":{"127.000.000.001":{"\#(end.portText)":["",\#(datagrams.port)]}}}"#
    side.serve(1) { socket in
      for (count, answers) in [(2, ["1;127.0.0.1;20"]), (2, [map, "1"])] {
        for _ in 0..<count { _ = socket.message() }
        for answer in answers { socket.say(answer) }
      }
      _ = datagrams.answer(3, with: [UInt8](repeating: 7, count: 500))
      socket.say("DONE;40000")
      for count in [2, 1] {
        for _ in 0..<count { _ = socket.message() }
        socket.say("OK")
      }
    }
    let (record, used) = try await inspector(of: recording).replay(.original)
    #expect(record.bytes == 1_500 && record.carried == 2_500)
    #expect(used == ReplayVolume.bytes(2_500, of: recording))
  }

  /// A connection that is cut is what a network does to what it does not like.
  @Test func whatIsCutIsASlotThatFailed() async throws {
    try serve { _ in }
    let (record, _) = try await inspector().replay(.control)
    #expect(record.outcome == .failed && record.kind == .control)
    #expect(heard.value == [Array("hello".utf8).map { ~$0 }])
  }

  /// That nobody is there is no answer.
  @Test func aServerThatIsNotThereIsAnError() async throws {
    data.serve(1) { socket in
      _ = socket.receive(5)
      socket.send("HTTP/1.1 200 OK\r\n\r\n127.0.0.1")
    }
    let inspector = try await inspector(sidePort: 1)
    let error = await #expect(throws: ReplayError.self) {
      _ = try await inspector.replay(.original)
    }
    #expect(error?.kind == .connect)
  }

  /// What was made so far is not lost, and what went is known: here what was said alone.
  @Test func aFailureEndsItWithWhatWasUsed() async throws {
    data.serve(1) { socket in
      _ = socket.receive(5)
      socket.send("HTTP/1.1 200 OK\r\n\r\n127.0.0.1")
    }
    let outcome = try await inspector(volume: 150_000, sidePort: 1).inspect(
      Inspection([], bytes: 5, seed: 1), budget: 1_000_000, keep: { _ in }, tell: { _ in })
    #expect(outcome.failure?.kind == .connect && !outcome.isCancelled)
    #expect(outcome.slots == 0 && outcome.used == Int64(ReplayVolume.conversation))
  }

  @Test func noMoreDataIsUsedThanMayBe() async throws {
    try serve { $0.send([UInt8](repeating: 7, count: ReplayInspectorTests.answer)) }
    let told = Watched<[PairClient.Moment]>([])
    // One replay, and not another one.
    let outcome = try await inspector(volume: 150_000).inspect(
      Inspection([], bytes: 5, seed: 1), budget: 150_000, keep: { _ in },
      tell: { moment in told.withLock { $0.append(moment) } })
    #expect(outcome.inspection.reason == .budget && outcome.slots == 1)
    #expect(outcome.used > 100_000 && outcome.used <= 150_000)
    #expect(told.value == [.slot(.original, done: 0, of: 200)])
  }
}
