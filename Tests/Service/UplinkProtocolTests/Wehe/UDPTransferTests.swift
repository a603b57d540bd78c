import Testing
import UplinkProtocol

struct UDPTransferTests {
  private func transfer(isTimed: Bool = true) throws -> UDPTransfer {
    func packet(_ client: Int, _ server: Int, _ payload: String, _ time: String) -> String {
      #"{"c_s_pair":"010.000.002.015.\#(client)-208.085.042.032.\#(server)","timestamp":\#(time),"#
        + #""payload":"\#(payload)","end":false}"#
    }
    let recording = try RecordingTests.read(
      RecordingTests.file(
        [
          packet(48080, 10080, "01", "0"), packet(48081, 10080, "02", "0"),
          packet(48080, 10081, "03", "0.5"),
        ], ports: #"["48080","48081","48082"]"#, pairs: "[]"))
    guard case .udp(let datagrams) = recording.packets else {
      Issue.record("not UDP")
      return UDPTransfer([], isTimed: isTimed, limit: 40)
    }
    return UDPTransfer(datagrams, isTimed: isTimed, limit: 40)
  }

  private func end(_ port: UInt16) throws -> RecordedEndpoint {
    try #require(RecordedEndpoint(address: 0xD055_2A20, port: port))
  }

  @Test func sendsAtItsTime() throws {
    var transfer = try transfer()
    let (first, second) = (try end(10080), try end(10081))
    // A port that sends nothing needs no socket.
    #expect(transfer.flows == [.port(48080), .port(48081)])
    #expect(transfer.take(.begin, at: 0) == [.send([1], on: 0, to: first)])
    #expect(transfer.take(.sent(on: 0), at: 0) == [.send([2], on: 1, to: first)])
    #expect(transfer.take(.sent(on: 1), at: 0).isEmpty && transfer.deadline == 0.5)
    #expect(transfer.take(.timeIsOver, at: 0.4).isEmpty)
    #expect(transfer.take(.timeIsOver, at: 0.5) == [.send([3], on: 0, to: second)])
    #expect(transfer.deadline == 40)
  }

  /// Sends all that there is, at once.
  private func sendAll(_ transfer: inout UDPTransfer) -> [TransferAction] {
    var actions = transfer.take(.begin, at: 0)
    while case .send(_, let flow, _)? = actions.first {
      actions = transfer.take(.sent(on: flow), at: 0)
    }
    return actions
  }

  @Test func endsWhenTheServerHasSentAll() throws {
    var transfer = try transfer(isTimed: false)
    #expect(sendAll(&transfer).isEmpty)
    #expect(transfer.take(.received([1, 2, 3], on: 1), at: 0.2).isEmpty)
    #expect(transfer.take(.serverIsDone, at: 1) == [.finish(.complete)])
    #expect(transfer.reads.count == 3 && transfer.take(.timeIsOver, at: 99).isEmpty)
  }

  @Test func sendsTheRestWhenTheServerHasSentAll() throws {
    var transfer = try transfer()
    #expect(transfer.take(.serverIsDone, at: 0).count == 1)
    for flow in [0, 1] { _ = transfer.take(.sent(on: flow), at: 0) }
    #expect(transfer.take(.timeIsOver, at: 0.5).count == 1)
    #expect(transfer.take(.sent(on: 0), at: 0.6) == [.finish(.complete)])
  }

  @Test func endsAtTheLimit() throws {
    var transfer = try transfer()
    _ = transfer.take(.begin, at: 0)
    // Silence is no end, and there is no connection that could break off.
    #expect(transfer.take(.broken(0), at: 35).isEmpty)
    #expect(transfer.take(.timeIsOver, at: 39.9).isEmpty)
    #expect(transfer.take(.timeIsOver, at: 40) == [.finish(.limit)])
  }
}
