import Bluetooth
import LunaTesting
import Testing

@testable import PeripheralHost

@Suite struct HCILinksTests {
  private let peer = LinkScript.peer
  private let cancel = HCICommand(HCIOpcode.leCreateConnectionCancel)
  private func disconnect(_ handle: UInt16 = 0x40) -> HCICommand {
    HCICommand(HCIOpcode.disconnect, handle.octets + [0x13])
  }

  @Test func asksForALink() {
    let script = LinkScript()
    let actions = script.links.connect(to: peer, until: .seconds(5))
    // scan interval and window 60 ms, no list, peer random, own address public, interval 15 to
    // 30 ms, latency 0, time-out 4 s, length of events 0 to 0
    let command = HCICommand(
      HCIOpcode.leCreateConnection,
      [
        0x60, 0, 0x60, 0, 0, 1, 0x01, 0, 0, 0, 0x1A, 0xE7, 0, 12, 0, 24, 0, 0, 0, 0x90, 0x01, 0, 0,
        0, 0,
      ])
    #expect(actions == [.command(command)])
    #expect(script.links.deadline == .seconds(5))
    #expect(script.answer(command) == [])
    #expect(!script.links.isIdle)
    guard let id = (script.event(LinkScript.complete(0x40))).connectedAlone else {
      Issue.record("no link")
      return
    }
    #expect(id.handle == 0x40)
    #expect(script.links.peer(of: id) == peer)
    #expect(script.links.deadline == nil)
  }

  @Test func asksByTheExtendedCommand() {
    let script = LinkScript(extended: true)
    let actions = script.links.connect(to: peer, until: .seconds(5))
    // no list, own address public, peer random, LE 1M, then as in the legacy command
    let command = HCICommand(
      HCIOpcode.leExtendedCreateConnection,
      [
        0, 0, 1, 0x01, 0, 0, 0, 0x1A, 0xE7, 1, 0x60, 0, 0x60, 0, 12, 0, 24, 0, 0, 0, 0x90, 0x01, 0,
        0, 0, 0,
      ])
    #expect(actions == [.command(command)])
    #expect(script.answer(command) == [])
    guard (script.event(LinkScript.enhanced(0x40))).connectedAlone != nil else {
      Issue.record("no link")
      return
    }
  }

  @Test func makesOneAttemptAtATime() {
    let script = LinkScript()
    #expect(script.links.connect(to: peer, until: .seconds(5)).count == 1)
    let other = GATTPeer(BluetoothAddress(value: 0xC000_0000_0002), .random)
    #expect(script.links.connect(to: other, until: .seconds(5)) == [.failed(.busy)])
    _ = script.event(LinkScript.complete(0x40))
    #expect(
      script.links.connect(to: peer, until: .seconds(5))
        == [.failed(.status(.connectionAlreadyExists))])
    #expect(script.links.connect(to: other, until: .seconds(5)).count == 1)
  }

  @Test func tellsThatTheCommandIsRefused() throws {
    let script = LinkScript()
    guard case .command(let command)? = script.links.connect(to: peer, until: .seconds(5)).first
    else {
      Issue.record("no command")
      return
    }
    #expect(script.answer(command, 0x0C) == [.failed(.status(.commandDisallowed))])
    #expect(script.links.isIdle)
  }

  @Test func tellsThatTheAttemptFailed() {
    let script = LinkScript()
    _ = script.links.connect(to: peer, until: .seconds(5))
    #expect(
      script.event(LinkScript.complete(0, status: 0x3E)) == [.failed(.status(.failedToEstablish))])
    #expect(script.links.isIdle)
  }

  @Test func givesUpInTime() {
    let script = LinkScript()
    _ = script.links.connect(to: peer, until: .seconds(5))
    script.now = .seconds(4)
    #expect(script.links.tick(at: script.now) == [])
    script.now = .seconds(5)
    #expect(script.links.tick(at: script.now) == [.failed(.timedOut), .command(cancel)])
    #expect(!script.links.isIdle)
    #expect(script.links.connect(to: peer, until: .seconds(9)) == [.failed(.busy)])
    #expect(script.answer(cancel) == [])
    // Unknown Connection Identifier: taken back.
    #expect(script.event(LinkScript.complete(0, status: 0x02)) == [])
    #expect(script.links.isIdle)
    #expect(script.links.deadline == nil)
  }

  @Test func endsALinkThatComesTooLate() {
    let script = LinkScript()
    _ = script.links.connect(to: peer, until: .seconds(5))
    #expect(script.links.cancel(at: .zero) == [.failed(.timedOut), .command(cancel)])
    #expect(script.links.cancel(at: .zero) == [])
    // The link was made before the controller read the command, which it then refuses.
    #expect(script.event(LinkScript.complete(0x40)) == [.command(disconnect())])
    #expect(script.answer(cancel, 0x0C) == [])
    #expect(script.frame(0x40, 4, [0x1B, 1, 0, 5]) == [])
    #expect(script.answer(disconnect()) == [])
    #expect(!script.links.isIdle)
    #expect(script.event(LinkScript.gone(0x40, 0x16)) == [])
    #expect(script.links.isIdle)
    #expect(script.connect() != nil)
  }

  @Test func noticesAnAttemptThatDoesNotEnd() {
    let script = LinkScript()
    _ = script.links.connect(to: peer, until: .seconds(5))
    script.now = .seconds(5)
    _ = script.links.tick(at: script.now)
    #expect(script.links.deadline == .seconds(7))
    script.now = .seconds(7)
    guard case .stuck? = script.links.tick(at: script.now).first else {
      Issue.record("it waits for ever")
      return
    }
    #expect(script.links.isIdle)
  }

  @Test func noticesAControllerThatDoesNotAnswer() {
    let script = LinkScript()
    guard case .command(let command)? = script.links.connect(to: peer, until: .seconds(5)).first
    else {
      Issue.record("no command")
      return
    }
    let actions = script.links.replied(to: command, nil, at: .seconds(3))
    guard case .failed(.lost)? = actions.first, case .stuck? = actions.last else {
      Issue.record("\(actions)")
      return
    }
  }

  @Test func endsLinksThatNobodyWants() {
    let script = LinkScript()
    let other = GATTPeer(BluetoothAddress(value: 0xC000_0000_0002), .random)
    // Not asked for, to somebody else than asked for, and made by a peer.
    #expect(script.event(LinkScript.complete(0x40, peer: other)) == [.command(disconnect())])
    _ = script.links.connect(to: peer, until: .seconds(5))
    #expect(script.event(LinkScript.complete(0x41, peer: other)) == [.command(disconnect(0x41))])
    #expect(
      script.event(LinkScript.complete(0x42, central: false)) == [.command(disconnect(0x42))])
    guard (script.event(LinkScript.complete(0x43))).connectedAlone != nil else {
      Issue.record("the attempt is forgotten")
      return
    }
  }

  @Test func acceptsPeers() {
    let script = LinkScript(acceptsPeers: true)
    guard let id = (script.event(LinkScript.complete(0x40, central: false))).acceptedAlone else {
      Issue.record("no link")
      return
    }
    // LE Advertising Set Terminated: subevent, status, set, handle 2, number of events
    #expect(
      script.event([0x3E, 0x06, 0x12, 0, 3, 0x40, 0, 0]) == [.advertisingSet(3, id)])
    #expect(script.event([0x3E, 0x06, 0x12, 0x3C, 3, 0x40, 0, 0]) == [])
    #expect(script.event([0x3E, 0x06, 0x12, 0, 3, 0x41, 0, 0]) == [])
    #expect(script.frame(0x40, 4, [0x02, 23, 0]) == [.received(id, [0x02, 23, 0])])
    #expect(
      script.event(LinkScript.gone(0x40, 0x13))
        == [.down(id, .remoteUserTerminated, isOurs: false)])
  }

  @Test func endsALink() throws {
    let script = LinkScript()
    let id = try #require(script.connect())
    #expect(script.links.disconnect(id, at: script.now) == [.command(disconnect())])
    #expect(script.links.disconnect(id, at: script.now) == [])
    #expect(script.answer(disconnect()) == [])
    #expect(script.links.send([0x0A, 1, 0], on: id) == [])
    #expect(
      script.event(LinkScript.gone(0x40, 0x16)) == [.down(id, .localHostTerminated, isOurs: true)])
    #expect(script.links.isIdle)
  }

  @Test func sendsWhatWaitsFirst() throws {
    let script = LinkScript(count: 1)
    let id = try #require(script.connect())
    #expect(script.links.send([1], on: id).count == 1)
    #expect(script.links.send([2], on: id) == [])
    #expect(script.links.disconnect(id, at: script.now) == [])
    #expect(script.event(LinkScript.sent(0x40, 1)).count == 1)
    #expect(script.event(LinkScript.sent(0x40, 1)) == [.command(disconnect())])
  }

  @Test func doesNotWaitLongForThat() throws {
    let script = LinkScript(count: 1)
    let id = try #require(script.connect())
    _ = script.links.send([1], on: id)
    #expect(script.links.disconnect(id, at: script.now) == [])
    script.now = HCILinks.farewellLimit
    #expect(script.links.deadline == script.now)
    #expect(script.links.tick(at: script.now) == [.command(disconnect())])
    // And not for ever for the end.
    script.now += HCILinks.disconnectLimit
    #expect(script.links.tick(at: script.now) == [.down(id, .connectionTimeout, isOurs: true)])
    #expect(script.links.isIdle)
  }

  @Test func takesARefusalForTheEndWhenThereIsNoLink() throws {
    let script = LinkScript()
    let id = try #require(script.connect())
    _ = script.links.disconnect(id, at: script.now)
    #expect(script.answer(disconnect(), 0x0C) == [])
    #expect(script.answer(disconnect(), 0x02) == [.down(id, .unknownConnection, isOurs: true)])
  }

  @Test func tellsWhyALinkEnded() throws {
    for reason: UInt8 in [0x08, 0x13, 0x16, 0x3E] {
      let script = LinkScript()
      let id = try #require(script.connect())
      #expect(script.event(LinkScript.gone(0x40, reason, status: 0x0C)) == [])
      #expect(script.event(LinkScript.gone(0x41, reason)) == [])
      #expect(
        script.event(LinkScript.gone(0x40, reason))
          == [.down(id, HCIStatus(rawValue: reason), isOurs: false)])
      #expect(script.event(LinkScript.gone(0x40, reason)) == [])
    }
  }

  @Test func keepsLinksOfOneHandleApart() throws {
    let script = LinkScript()
    let first = try #require(script.connect())
    // The end of the first was never told.
    _ = script.links.connect(
      to: GATTPeer(BluetoothAddress(value: 0xC000_0000_0002), .random), until: .seconds(5))
    let other = GATTPeer(BluetoothAddress(value: 0xC000_0000_0002), .random)
    let actions = script.event(LinkScript.complete(0x40, peer: other))
    guard actions.first == .down(first, .connectionTimeout, isOurs: false),
      case .connected(let second)? = actions.last
    else {
      Issue.record("\(actions)")
      return
    }
    #expect(first != second)
    #expect(script.links.send([1], on: first) == [])
    #expect(script.links.send([1], on: second).count == 1)
  }

  private func packet(_ boundary: UInt8, _ data: [UInt8], _ handle: UInt16 = 0x40)
    -> HCILinks.Action
  {
    .packet(HCIACLPacket(handle: handle, boundary: boundary, data: data))
  }

  @Test func sendsNoMoreThanThereIsRoomFor() throws {
    let script = LinkScript(size: 27, count: 2)
    let id = try #require(script.connect())
    let pdu = (0..<60).map { UInt8($0) }
    // 64 bytes in three packets, of which two have room
    #expect(
      script.links.send(pdu, on: id) == [
        packet(0, [60, 0, 4, 0] + pdu[..<23]), packet(1, Array(pdu[23..<50])),
      ])
    #expect(script.event(LinkScript.sent(0x41, 2)) == [])
    #expect(script.event(LinkScript.sent(0x40, 1)) == [packet(1, Array(pdu[50...]))])
    #expect(script.event(LinkScript.sent(0x40, 9)) == [])
    // Only what was on its way is free again.
    #expect(script.links.send(pdu, on: id).count == 2)
  }

  @Test func lets2LinksTakeTurns() throws {
    let script = LinkScript(size: 27, count: 1)
    let first = try #require(script.connect(0x40))
    let other = GATTPeer(BluetoothAddress(value: 0xC000_0000_0002), .random)
    _ = script.links.connect(to: other, until: .seconds(5))
    let second = try #require(
      script.event(LinkScript.complete(0x41, peer: other)).connectedAlone)
    #expect(script.links.send([1], on: first).count == 1)
    #expect(script.links.send([2], on: first) == [])
    #expect(script.links.send([3], on: second) == [])
    #expect(script.event(LinkScript.sent(0x40, 1)) == [packet(0, [1, 0, 4, 0, 3], 0x41)])
    #expect(script.event(LinkScript.sent(0x41, 1)) == [packet(0, [1, 0, 4, 0, 2])])
  }

  @Test func freesTheRoomOfALinkThatEnded() throws {
    let script = LinkScript(size: 27, count: 1)
    let first = try #require(script.connect(0x40))
    let other = GATTPeer(BluetoothAddress(value: 0xC000_0000_0002), .random)
    _ = script.links.connect(to: other, until: .seconds(5))
    let second = try #require(
      script.event(LinkScript.complete(0x41, peer: other)).connectedAlone)
    _ = script.links.send([1], on: first)
    #expect(script.links.send([3], on: second) == [])
    #expect(
      script.event(LinkScript.gone(0x40, 0x08)) == [
        .down(first, .connectionTimeout, isOurs: false), packet(0, [1, 0, 4, 0, 3], 0x41),
      ])
  }

  @Test func tellsCongestionAndItsEnd() throws {
    let script = LinkScript(size: 27, count: 1)
    let id = try #require(script.connect())
    var sent = 0
    while !script.links.isCongested(id) {
      _ = script.links.send([1], on: id)
      sent += 1
    }
    #expect(sent == HCILinks.congestion + 1)
    var ready = 0
    for number in 0..<sent {
      if script.event(LinkScript.sent(0x40, 1)).contains(.ready(id)) {
        ready += 1
        #expect(number == HCILinks.congestion - HCILinks.relief - 1)
      }
    }
    #expect(ready == 1)
    #expect(!script.links.isCongested(id))
  }

  @Test func dropsWhatNobodyTakes() throws {
    let script = LinkScript(size: 27, count: 1)
    let id = try #require(script.connect())
    for _ in 0..<5000 { _ = script.links.send([1], on: id) }
    #expect(script.links.links[0x40]?.waiting.count == HCILinks.queueLimit)
    #expect(script.links.ignored > 3000)
  }

  @Test func putsFramesTogether() throws {
    let script = LinkScript()
    let id = try #require(script.connect())
    #expect(
      script.links.receive(HCIACLPacket(handle: 0x40, boundary: 2, data: [4, 0, 4, 0, 1])) == [])
    #expect(
      script.links.receive(HCIACLPacket(handle: 0x40, boundary: 1, data: [2, 3, 4]))
        == [.received(id, [1, 2, 3, 4])])
  }

  @Test func answersSignalsOnTheirChannel() throws {
    let script = LinkScript()
    let id = try #require(script.connect())
    let request: [UInt8] = [0x12, 7, 8, 0, 24, 0, 40, 0, 0, 0, 0xF4, 0x01]
    let update = HCICommand(
      HCIOpcode.leConnectionUpdate, [0x40, 0, 24, 0, 40, 0, 0, 0, 0xF4, 0x01, 0, 0, 0, 0])
    #expect(
      script.frame(0x40, 5, request)
        == [packet(0, [6, 0, 5, 0, 0x13, 7, 2, 0, 0, 0]), .command(update)])
    // One change at a time.
    _ = script.event(LinkScript.sent(0x40, 1))
    #expect(script.frame(0x40, 5, request) == [packet(0, [6, 0, 5, 0, 0x13, 7, 2, 0, 1, 0])])
    // LE Connection Update Complete: subevent, status, handle 2, parameters 6
    #expect(script.event([0x3E, 0x0A, 0x03, 0, 0x40, 0, 40, 0, 0, 0, 0xF4, 0x01]) == [])
    #expect(script.frame(0x40, 5, request).contains(.command(update)))
    _ = script.answer(update, 0x0C)
    #expect(script.frame(0x40, 5, request).contains(.command(update)))
    #expect(script.links.link(id) != nil)
  }

  @Test func refusesSecurity() throws {
    let script = LinkScript()
    _ = try #require(script.connect())
    #expect(script.frame(0x40, 6, [0x0B, 1]) == [packet(0, [2, 0, 6, 0, 5, 5])])
    // LE Long Term Key Request: subevent, handle 2, random number 8, diversifier 2
    let request: [UInt8] = [0x3E, 0x0D, 0x05, 0x40, 0] + [UInt8](repeating: 0, count: 10)
    #expect(
      script.event(request)
        == [.command(HCICommand(HCIOpcode.leLongTermKeyRequestNegativeReply, [0x40, 0]))])
  }

  @Test func decidesOnParameters() throws {
    let script = LinkScript()
    _ = try #require(script.connect())
    // LE Remote Connection Parameter Request: subevent, handle 2, parameters 8
    let wanted: [UInt8] = [24, 0, 40, 0, 0, 0, 0xF4, 0x01]
    #expect(
      script.event([0x3E, 0x0B, 0x06, 0x40, 0] + wanted) == [
        .command(
          HCICommand(
            HCIOpcode.leRemoteConnectionParameterRequestReply, [0x40, 0] + wanted + [0, 0, 0, 0]))
      ])
    #expect(
      script.event([0x3E, 0x0B, 0x06, 0x40, 0, 1, 0, 2, 0, 0, 0, 0, 0]) == [
        .command(
          HCICommand(
            HCIOpcode.leRemoteConnectionParameterRequestNegativeReply, [0x40, 0, 0x3B]))
      ])
    #expect(script.event([0x3E, 0x0B, 0x06, 0x41, 0] + wanted) == [])
  }

  @Test func ignoresWhatIsNotForALink() throws {
    let script = LinkScript()
    #expect(script.frame(0x40, 4, [1]) == [])
    let id = try #require(script.connect())
    #expect(script.frame(0x41, 4, [1]) == [])
    #expect(script.frame(0x40, 0x40, [1]) == [])
    #expect(
      script.links.receive(
        HCIACLPacket(handle: 0x40, boundary: 2, broadcast: 1, data: [1, 0, 4, 0, 1])) == [])
    // 1,025 bytes are announced
    #expect(
      script.links.receive(HCIACLPacket(handle: 0x40, boundary: 2, data: [0x01, 0x04, 4, 0])) == [])
    #expect(script.frame(0x40, 4, [1]) == [.received(id, [1])])
  }
}
