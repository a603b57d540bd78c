import Bluetooth
import LunaTesting
import Testing

@testable import PeripheralHost

/// What goes on air, and when.
@Suite struct AdvertisingTests {
  private static let extendedCommands = [(36, 1), (36, 2), (36, 3), (36, 4), (36, 5)]

  private func extended(sets: UInt8 = 1) -> ScriptedController {
    var controller = ScriptedController()
    controller.commands = AdvertisingTests.extendedCommands.map { (octet: $0.0, bit: $0.1) }
    controller.advertisingSets = sets
    return controller
  }

  @Test func setsTheControllerUpAndAdvertises() {
    let script = HostScript()
    // Kept until then.
    script.advertise(1)
    #expect(script.told == [] && script.controller.opcodes == [])
    script.start()
    #expect(script.told == [.ready, .settled(0)])
    #expect(script.controller.opcodes.first == HCIOpcode.reset)
    #expect(script.opcodes == [0x2005, 0x2006, 0x2008, 0x2009, 0x200A])
    let airing = Airing(
      at: .zero, address: BluetoothAddress(value: 0xC000_0000_0001), type: 0, interval: 1600,
      data: [2, 1, 6, 2, 0xFF, 1], scanResponse: [2, 9, 0x4C])
    #expect(script.airings == [airing])
    // There is nothing to wait for.
    #expect(script.host.deadline == nil)
  }

  @Test func changesEverythingOffTheAir() {
    let script = HostScript.onAir()
    script.advance(to: .seconds(1024))
    script.advertise(2, .advNonconnInd)
    #expect(script.told == [.settled(0)])
    #expect(script.opcodes.suffix(6) == [0x200A, 0x2005, 0x2006, 0x2008, 0x2009, 0x200A])
    #expect(script.airings.count == 2 && script.changesOnAir == 0)
    #expect(script.airings.last?.at == .seconds(1024))
    #expect(script.airings.last?.address == BluetoothAddress(value: 0xC000_0000_0002))
    #expect(script.airings.last?.type == 3)
    #expect(script.airings.last?.data == [2, 1, 6, 2, 0xFF, 2])
    #expect(script.airings.last?.scanResponse == [])
  }

  @Test func leavesOutWhatIsNotWantedAnyMore() {
    let script = HostScript()
    script.start()
    script.holdsAnswers = true
    script.advertise(1)
    script.advertise(2)
    script.holdsAnswers = false
    script.release()
    #expect(script.airings.map(\.data.last) == [2])
    #expect(script.told == [.ready, .settled(0)])
  }

  @Test func fallsSilent() {
    let script = HostScript.onAir()
    script.perform(script.host.silence(0, at: script.now))
    #expect(script.told == [.settled(0)])
    #expect(!script.isOnAir)
    // Said again, it is so already.
    script.perform(script.host.silence(0, at: script.now))
    #expect(script.told == [.settled(0), .settled(0)])
    #expect(script.opcodes.suffix(2) == [0x200A, 0x200A])
    #expect(script.airings.count == 1)
  }

  @Test func silencesWhatIsBeingSaid() {
    let script = HostScript()
    script.start()
    script.holdsAnswers = true
    script.advertise(1)
    script.perform(script.host.silence(0, at: script.now))
    script.holdsAnswers = false
    script.release()
    #expect(script.told == [.ready, .settled(0)])
    #expect(script.airings.isEmpty)
  }

  @Test func usesExtendedCommands() {
    let script = HostScript(extended())
    script.start()
    script.advertise(1)
    #expect(script.told == [.ready, .settled(0)])
    #expect(script.opcodes == [0x2036, 0x2035, 0x2037, 0x2038, 0x2039])
    // set 0, legacy ADV_IND, interval 1000 ms twice, all channels, own address random
    #expect(
      script.controller.parameters(of: 0x2036)?.prefix(11)
        == [0, 0x13, 0, 0x40, 0x06, 0, 0x40, 0x06, 0, 7, 1])
    #expect(script.controller.parameters(of: 0x2035) == [0, 1, 0, 0, 0, 0, 0xC0])
    #expect(script.controller.parameters(of: 0x2037) == [0, 3, 1, 6, 2, 1, 6, 2, 0xFF, 1])
    script.advertise(2, .advNonconnInd)
    // It takes no scan response.
    #expect(script.opcodes.suffix(5) == [0x2039, 0x2036, 0x2035, 0x2037, 0x2039])
    #expect(script.controller.parameters(of: 0x2036)?[1] == 0x10)
  }

  @Test func sendsSeveralSideBySide() {
    let script = HostScript(extended(sets: 2), count: 2)
    script.start()
    script.advertise(1)
    script.advertise(2, as: 1)
    #expect(script.told == [.ready, .settled(0), .settled(1)])
    #expect(script.controller.parameters(of: 0x2039) == [1, 1, 1, 0, 0, 0])
    script.told = []
    // The controller tells which set it was: status, set, handle 2, number of events.
    script.connect()
    #expect(script.told == [])
    script.feed([0x3E, 0x06, 0x12, 0, 1, 0x40, 0, 0])
    #expect(script.link?.number == 1)
    // The other goes on beside it, and what has ended begins when the link ends.
    script.leave()
    #expect(script.told.suffix(1) == [.settled(1)])
    #expect(script.controller.parameters(of: 0x2039) == [1, 1, 1, 0, 0, 0])
  }

  @Test func endsALinkToNobodyKnowsWhat() {
    let script = HostScript(extended(sets: 2), count: 2)
    script.start()
    script.connect()
    script.ask([0x0A, 9, 0])
    #expect(script.opcodes.last == HCIOpcode.disconnect)
    #expect(script.told == [.ready])
  }

  @Test func tellsThatThereAreTooFewSets() {
    let script = HostScript(extended(), count: 2)
    script.start()
    #expect(script.told == [.failed(.fewAdvertisingSets(1))])
    // A legacy controller sends one.
    let legacy = HostScript(.legacy, count: 2)
    legacy.start()
    #expect(legacy.told == [.failed(.fewAdvertisingSets(1))])
    legacy.advertise(1)
    #expect(legacy.opcodes == [])
  }

  @Test func putsOffWhatTheControllerCannotDoBesideALink() {
    let script = HostScript.connected()
    script.told = []
    script.refusesOnce[HCIOpcode.leSetAdvertisingEnable] = 0x0C
    script.advertise(2)
    #expect(script.told == [.settled(0)])
    #expect(script.airings.count == 1)
    script.leave()
    #expect(
      script.told.dropFirst() == [
        .link(.disconnected, PeripheralLink(number: 0, serial: 1)), .settled(0),
      ])
    #expect(script.airings.last?.data.last == 2)
  }

  @Test func triesAgainWhenTheLinkHasJustEnded() {
    let script = HostScript.connected()
    script.told = []
    script.holdsAnswers = true
    script.refusesOnce[HCIOpcode.leSetRandomAddress] = 0x0C
    script.advertise(2)
    // The refusal waits; the link ends before it.
    let gone = LinkScript.gone(0x40, 0x13)
    script.perform(script.host.receive(.event, gone.span, at: script.now))
    script.holdsAnswers = false
    script.release()
    #expect(!script.told.contains { if case .reset = $0 { true } else { false } })
    #expect(script.told.last == .settled(0))
    #expect(script.airings.last?.data.last == 2)
  }

  @Test func stops() {
    let script = HostScript.onAir()
    script.perform(script.host.stop(at: script.now))
    #expect(script.told == [.stopped])
    #expect(!script.isOnAir)
    #expect(script.host.deadline == nil)
    // Nothing is wanted any more.
    script.advertise(2)
    script.connect()
    #expect(script.told == [.stopped] && script.airings.count == 1)
  }

  @Test func endsLinksWhenItStops() {
    let script = HostScript.connected()
    script.told = []
    script.perform(script.host.stop(at: script.now))
    let link = PeripheralLink(number: 0, serial: 1)
    #expect(script.told == [.link(.disconnected, link), .stopped])
  }

  @Test func stopsInTimeWhenThePeerDoesNotGo() {
    let script = HostScript.connected()
    script.told = []
    script.keepsLinks = true
    script.perform(script.host.stop(at: script.now))
    #expect(script.told == [])
    script.run(for: PeripheralHost.stopLimit)
    let link = PeripheralLink(number: 0, serial: 1)
    #expect(script.told == [.link(.disconnected, link), .stopped])
  }

  @Test func stopsBeforeItIsReady() {
    let script = HostScript()
    script.holdsAnswers = true
    script.start()
    script.perform(script.host.stop(at: script.now))
    script.release()
    #expect(script.told == [.stopped])
  }
}
