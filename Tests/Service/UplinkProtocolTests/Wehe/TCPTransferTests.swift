import Testing
import UplinkProtocol

struct TCPTransferTests {
  private static let second = "010.000.002.015.48081-208.085.042.032.00443"
  private static let suspicion = Array("SuspiciousClientIP!".utf8)

  private func packet(
    _ payload: String, at time: String = "0", answer: Int = 0, isSecond: Bool = false
  ) -> String {
    RecordingTests.tcp(
      "\"\(payload)\"", pair: isSecond ? Self.second : RecordingTests.pair, timestamp: time,
      length: "\(answer)")
  }

  private func transfer(_ packets: String..., isTimed: Bool = true) throws -> TCPTransfer {
    let pairs = "[\"\(RecordingTests.pair)\",\"\(Self.second)\"]"
    let recording = try RecordingTests.read(RecordingTests.file(packets, pairs: pairs))
    guard case .tcp(let requests) = recording.packets else {
      Issue.record("not TCP")
      return TCPTransfer([], isTimed: isTimed, limit: 45)
    }
    return TCPTransfer(requests, isTimed: isTimed, limit: 45)
  }

  private func came(_ count: Int, on flow: Int = 0) -> TransferEvent {
    .received([UInt8](repeating: 7, count: count)[...], on: flow)
  }

  /// What is sent on which flow.
  private func sent(_ actions: [TransferAction]) -> [String] {
    actions.map { action in
      switch action {
      case .send(let bytes, let flow, _): "\(flow): \(bytes)"
      case .finish(let end): "\(end)"
      }
    }
  }

  @Test func sendsAtItsTime() throws {
    var transfer = try transfer(packet("0102", at: "0.5", answer: 3))
    let end = try #require(RecordedEndpoint("208.085.042.032.00080"))
    #expect(transfer.flows == [.connection(to: end)])
    #expect(transfer.take(.begin, at: 0).isEmpty && transfer.deadline == 0.5)
    #expect(transfer.take(.timeIsOver, at: 0.4).isEmpty)
    #expect(transfer.take(.timeIsOver, at: 0.5) == [.send([1, 2], on: 0, to: end)])
    #expect(transfer.take(.sent(on: 0), at: 0.6).isEmpty && transfer.deadline == 30.6)
    #expect(transfer.take(came(3), at: 0.7) == [.finish(.complete)])
    #expect(transfer.reads.count == 3 && transfer.reads.seconds == 0.7)
    // It has ended.
    #expect(transfer.take(came(3), at: 0.8).isEmpty && transfer.take(.timeIsOver, at: 50).isEmpty)
  }

  @Test func sendsAtOnceWithoutTimes() throws {
    var transfer = try transfer(packet("01", at: "600"), isTimed: false)
    #expect(sent(transfer.take(.begin, at: 0)) == ["0: [1]"])
    #expect(transfer.take(.sent(on: 0), at: 0.1) == [.finish(.complete)])
  }

  @Test func waitsForTheWholeAnswer() throws {
    var transfer = try transfer(packet("01", answer: 100), packet("02", at: "0.1"))
    #expect(sent(transfer.take(.begin, at: 0)) == ["0: [1]"])
    #expect(transfer.take(.sent(on: 0), at: 0.01).isEmpty)
    #expect(transfer.take(.timeIsOver, at: 0.2).isEmpty)
    #expect(transfer.take(came(60), at: 0.3).isEmpty && transfer.wanted(on: 0) == 40)
    #expect(sent(transfer.take(came(40), at: 0.4)) == ["0: [2]"])
    #expect(transfer.take(.sent(on: 0), at: 0.5) == [.finish(.complete)])
  }

  /// The answer may come before all of a request has gone.
  @Test func waitsForBothDirections() throws {
    var transfer = try transfer(packet("01", answer: 100), packet("02"))
    #expect(sent(transfer.take(.begin, at: 0)) == ["0: [1]"])
    #expect(transfer.take(came(100), at: 0.1).isEmpty)
    #expect(sent(transfer.take(.sent(on: 0), at: 0.2)) == ["0: [2]"])
  }

  @Test func keepsTheOrderOverConnections() throws {
    var transfer = try transfer(
      packet("01", answer: 50), packet("02", isSecond: true), packet("03"),
      packet("04", isSecond: true))
    #expect(transfer.flows.count == 2)
    #expect(sent(transfer.take(.begin, at: 0)) == ["0: [1]", "1: [2]"])
    // The fourth waits for the third, which waits for the answer to the first.
    #expect(transfer.take(.sent(on: 1), at: 0.1).isEmpty)
    #expect(transfer.take(.sent(on: 0), at: 0.2).isEmpty)
    #expect(sent(transfer.take(came(50), at: 0.3)) == ["0: [3]", "1: [4]"])
  }

  @Test func hearsAServerThatSpeaksFirst() throws {
    var transfer = try transfer(packet("", answer: 30), packet("01", answer: 10))
    #expect(transfer.take(.begin, at: 0).isEmpty && transfer.wanted(on: 0) == 30)
    #expect(sent(transfer.take(came(30), at: 0.1)) == ["0: [1]"])
  }

  @Test func readsNoMoreThanIsWanted() throws {
    var transfer = try transfer(packet("01", at: "1", answer: 100))
    // The beginning may be a refusal.
    #expect(transfer.wanted(on: 0) == 19)
    #expect(transfer.take(came(19), at: 0).isEmpty && transfer.wanted(on: 0) == 0)
    // What came early counts.
    #expect(sent(transfer.take(.timeIsOver, at: 1)) == ["0: [1]"])
    #expect(transfer.wanted(on: 0) == 81)
  }

  @Test(arguments: [(1, TransferEnd.complete), (99, .complete), (100, .lost), (1000, .lost)])
  func takesAlmostAllForAll(_ missing: Int, _ end: TransferEnd) throws {
    var transfer = try transfer(packet("01", answer: 2000))
    for event in [TransferEvent.begin, .sent(on: 0), came(2000 - missing)] {
      _ = transfer.take(event, at: 0.1)
    }
    #expect(transfer.take(.closed(0), at: 0.2) == [.finish(end)])
  }

  @Test func isLostWhereAClosedConnectionIsNeeded() throws {
    for event in [TransferEvent.closed(0), .broken(0)] {
      var transfer = try transfer(
        packet("01"), packet("02", at: "0.1", isSecond: true), packet("03", at: "0.2"))
      _ = transfer.take(.begin, at: 0)
      _ = transfer.take(.sent(on: 0), at: 0)
      // Nothing is wanted of it yet.
      #expect(transfer.take(event, at: 0).isEmpty && transfer.wanted(on: 0) == 0)
      #expect(sent(transfer.take(.timeIsOver, at: 0.2)) == ["1: [2]", "lost"])
    }
  }

  @Test func isLostWhereAConnectionBreaksOff() throws {
    var transfer = try transfer(packet("01", answer: 10))
    _ = transfer.take(.begin, at: 0)
    #expect(transfer.take(.broken(0), at: 0.1) == [.finish(.lost)])
  }

  @Test func isLostInSilence() throws {
    var transfer = try transfer(packet("01", at: "1", answer: 1000), packet("02", at: "600"))
    _ = transfer.take(.begin, at: 0)
    _ = transfer.take(.timeIsOver, at: 1)
    // A request that has not gone is not waited for.
    #expect(transfer.deadline == 45)
    _ = transfer.take(.sent(on: 0), at: 2)
    #expect(transfer.deadline == 32)
    #expect(transfer.take(came(1), at: 10).isEmpty && transfer.deadline == 40)
    #expect(transfer.take(.timeIsOver, at: 39).isEmpty)
    #expect(transfer.take(.timeIsOver, at: 40) == [.finish(.lost)])
  }

  @Test func endsAtTheLimit() throws {
    var transfer = try transfer(packet("01", answer: 100), packet("02", at: "600"))
    for event in [TransferEvent.begin, .sent(on: 0), came(100)] {
      _ = transfer.take(event, at: 0.1)
    }
    #expect(transfer.deadline == 45)
    #expect(transfer.take(.timeIsOver, at: 45) == [.finish(.limit)])
    #expect(transfer.reads.count == 100)
  }

  @Test func seesARefusal() throws {
    for cut in [1, 18, 19] {
      // Whether an answer is waited for or not.
      for answer in [0, 5, 1000] {
        var transfer = try transfer(packet("01", answer: answer), packet("02", at: "9"))
        _ = transfer.take(.begin, at: 0)
        _ = transfer.take(.sent(on: 0), at: 0)
        var actions = transfer.take(.received(Self.suspicion[..<cut], on: 0), at: 0.1)
        if cut < 19 {
          #expect(actions.isEmpty && transfer.wanted(on: 0) >= 19 - cut)
          actions = transfer.take(.received(Self.suspicion[cut...], on: 0), at: 0.2)
        }
        #expect(actions == [.finish(.ipFlip)], "\(cut), \(answer)")
      }
    }
  }
}
