import Bluetooth
import LunaTesting
import Testing

@testable import PeripheralHost

/// Controllers that do not do what they must.
@Suite struct ResetTests {
  private static let hardwareError: [UInt8] = [0x10, 0x01, 0x00]
  private let link = PeripheralLink(number: 0, serial: 1)

  @Test func beginsAnewAfterAFaultOfTheHardware() {
    let script = HostScript.connected()
    script.told = []
    script.feed(ResetTests.hardwareError)
    #expect(
      script.told == [.link(.disconnected, link), .reset(.hardware), .ready, .settled(0)])
    #expect(script.airings.count == 2 && script.isOnAir)
    #expect(script.airings.last?.data.last == 1)
    // Nothing is left of the link.
    script.perform(script.host.respond(.written, on: link, at: script.now))
    script.ask([0x0A, 3, 0])
    #expect(script.pdus == [] && script.host.deadline == nil)
    script.connect()
    #expect(script.link?.serial == 2)
  }

  @Test func givesUpAControllerThatIsResetAgainAndAgain() {
    let script = HostScript.onAir()
    for _ in 0..<PeripheralHost.resetLimit { script.feed(ResetTests.hardwareError) }
    #expect(script.told.last == .settled(0))
    script.feed(ResetTests.hardwareError)
    #expect(script.told.last == .failed(.hardware))
    #expect(script.host.deadline == nil)
    let count = script.told.count
    script.feed(ResetTests.hardwareError)
    script.start()
    #expect(script.told.count == count)
  }

  @Test func forgivesAFaultNowAndThen() {
    let script = HostScript.onAir()
    for _ in 0..<20 {
      script.feed(ResetTests.hardwareError)
      script.run(for: PeripheralHost.resetTime / PeripheralHost.resetLimit)
    }
    #expect(script.airings.count == 21)
  }

  @Test func resetsAControllerThatRefuses() {
    let script = HostScript.onAir()
    script.refusesOnce[HCIOpcode.leSetAdvertisingParameters] = 0x0C
    script.advertise(2)
    #expect(
      script.told == [
        .reset(.refused(HCIOpcode.leSetAdvertisingParameters, .commandDisallowed)), .ready,
        .settled(0),
      ])
    #expect(script.airings.map(\.data.last) == [1, 2])
  }

  @Test func takesNoForAnAnswerWhereItIsOne() {
    let script = HostScript.onAir()
    // Off already.
    script.refusesOnce[HCIOpcode.leSetAdvertisingEnable] = 0x0C
    script.advertise(2)
    #expect(script.told == [.settled(0)])
    #expect(script.airings.last?.data.last == 2)
  }

  @Test func givesUpAControllerThatAlwaysRefuses() {
    let script = HostScript()
    script.start()
    script.controller.refusals[HCIOpcode.leSetAdvertisingEnable] = 0x12
    script.advertise(1)
    let fault = ControllerFault.refused(
      HCIOpcode.leSetAdvertisingEnable, HCIStatus(rawValue: 0x12))
    #expect(script.told.last == .failed(fault))
    #expect(script.told.count { $0 == .reset(fault) } == PeripheralHost.resetLimit)
  }

  @Test func resetsAControllerThatDoesNotAnswer() {
    let script = HostScript.onAir()
    script.controller.silent = [HCIOpcode.leSetAdvertisingData]
    script.advertise(2)
    #expect(script.host.deadline == script.now + PeripheralHost.answerLimit)
    script.controller.silent = []
    script.run(for: PeripheralHost.answerLimit)
    #expect(
      script.told == [.reset(.silent(HCIOpcode.leSetAdvertisingData)), .ready, .settled(0)])
    #expect(script.airings.last?.data.last == 2)
  }

  @Test func givesUpAControllerThatIsNotThere() {
    let script = HostScript()
    script.controller.silent = [HCIOpcode.reset]
    script.start()
    script.run(for: PeripheralHost.answerLimit * 3)
    #expect(script.told == [.failed(.silent(HCIOpcode.reset))])
    #expect(script.controller.opcodes == [HCIOpcode.reset, HCIOpcode.reset, HCIOpcode.reset])
  }

  @Test func tellsThatTheControllerKnowsNoLowEnergy() {
    let script = HostScript()
    script.controller.refusals[HCIOpcode.leSetEventMask] = 0x01
    script.start()
    #expect(script.told == [.failed(.noLowEnergy)])
  }

  @Test func endsSilenceThatNobodyWaitsForAnyMore() {
    let script = HostScript.onAir()
    script.controller.silent = [HCIOpcode.leSetAdvertisingEnable]
    script.perform(script.host.silence(0, at: script.now))
    #expect(script.told == [])
    script.run(for: PeripheralHost.answerLimit)
    #expect(
      script.told == [.reset(.silent(HCIOpcode.leSetAdvertisingEnable)), .settled(0), .ready])
    #expect(!script.isOnAir)
  }

  @Test func endsLinksWhenTheWayToTheControllerIsGone() {
    let script = HostScript.connected()
    script.told = []
    script.perform(script.host.abandon())
    #expect(script.told == [.link(.disconnected, link)])
    #expect(script.host.deadline == nil)
  }

  @Test func readsAStreamInPieces() {
    let script = HostScript()
    script.comesInPieces = true
    script.start()
    script.advertise(1)
    script.connect()
    #expect(script.airings.count == 1)
    #expect(script.happened == [.connected(LinkScript.peer.address)])
  }

  @Test func skipsGarbage() {
    let script = HostScript()
    script.comesInPieces = true
    script.start()
    script.feed(stream: [0x00, 0xFF, 0x77, 0x06])
    script.advertise(1)
    #expect(script.told == [.ready, .settled(0)])
  }

  @Test func recoversFromAPacketWithoutAnEnd() {
    let script = HostScript()
    script.comesInPieces = true
    script.start()
    // The header of a long packet, which swallows all that follows.
    script.feed(stream: [0x02, 0x40, 0x20, 0xFF, 0x0F])
    script.advertise(1)
    #expect(script.airings.isEmpty)
    script.run(for: PeripheralHost.answerLimit)
    #expect(script.airings.count == 1)
    #expect(script.told.last == .settled(0))
  }

  private static let events: [[UInt8]] = [
    LinkScript.complete(0x40, central: false), LinkScript.complete(0x41, central: false),
    LinkScript.complete(0x42), LinkScript.enhanced(0x41, central: false),
    LinkScript.complete(0, status: 0x3C), LinkScript.gone(0x40, 0x13), LinkScript.gone(0x41, 0x08),
    LinkScript.sent(0x40, 1), LinkScript.sent(0x41, 9), [0x3E, 0x06, 0x12, 0, 0, 0x40, 0, 0],
    [0x3E, 0x0D, 0x05, 0x40, 0] + [UInt8](repeating: 0, count: 10),
    [0x0E, 0x04, 0x01, 0x0A, 0x20, 0x0C], [0x0E, 0x03, 0x00, 0x00, 0x00],
    [0x0F, 0x04, 0x00, 0x01, 0x06, 0x04], hardwareError,
  ]

  @Test func survivesAnything() {
    var random = Seeded.drawn()
    for _ in 0..<200 {
      let count = Int.random(in: 1...2, using: &random)
      let script = HostScript(.legacy, count: count)
      script.controller.advertisingSets = 2
      if Bool.random(using: &random) {
        script.controller.commands += (1...5).map { (octet: 36, bit: $0) }
      }
      script.keepsPackets = .random(using: &random)
      script.keepsLinks = .random(using: &random)
      script.start()
      for _ in 0..<80 { step(script, &random) }
      let up = script.happened.count { if case .connected = $0 { true } else { false } }
      let down = script.happened.count { $0 == .disconnected }
      #expect(up - down == script.host.peers.count)
      #expect(script.host.peers.count <= count)
      #expect(script.host.purposes.isEmpty == !script.host.queue.isBusy)
      #expect(script.host.resets.count <= PeripheralHost.resetLimit)
      script.perform(script.host.stop(at: script.now))
      script.run(for: PeripheralHost.stopLimit)
      #expect(script.host.peers.isEmpty && script.host.deadline == nil)
    }
  }

  private func step(_ script: HostScript, _ random: inout Seeded) {
    let number = UInt8.random(in: 1...9, using: &random)
    let set = Int.random(in: 0...1, using: &random)
    let handle = UInt16.random(in: 0x40...0x42, using: &random)
    let length = Int.random(in: 0...40, using: &random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: script.advertise(number, as: set)
    case 1: script.perform(script.host.silence(set, at: script.now))
    case 2: script.run(for: .milliseconds(Int.random(in: 0...40_000, using: &random)))
    case 3: script.ask(random.bytes(length), handle)
    case 4: script.ask([0x0A, number, 0], handle)
    case 5:
      guard let link = script.host.peers.first?.link else { return }
      script.perform(script.host.respond(.value([number]), on: link, at: script.now))
      script.perform(
        script.host.indicate([number], of: HostScript.value, on: link, at: script.now))
    case 6:
      guard let link = script.host.peers.first?.link else { return }
      script.perform(script.host.disconnect(link, at: script.now))
    case 7: script.feed(stream: random.bytes(length))
    default:
      var event = ResetTests.events.randomElement(using: &random) ?? []
      if Bool.random(using: &random) {
        let index = Int.random(in: 0..<event.count, using: &random)
        event[index] = .random(in: 0...255, using: &random)
      }
      script.feed(event)
    }
  }
}
