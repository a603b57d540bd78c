import Bluetooth
import LunaTesting
import Testing
import TrackerMachine
import VirtualRadio

@testable import TrackerSimulation

/// The accessories of other makers in the simulated room.
struct AccessoryTests {
  private func machine(
    _ kind: VirtualAccessory.Kind = .dult, isSeparated: Bool = true
  ) -> AccessoryMachine {
    AccessoryMachine(VirtualAccessory(number: 0, kind: kind, isSeparated: isSeparated))
  }

  private func response(_ opcode: UInt16, _ status: UInt16) -> [UInt8] {
    [
      0x02, 0x03, UInt8(opcode & 255), UInt8(opcode >> 8), UInt8(status & 255), UInt8(status >> 8),
    ]
  }

  private let start: [UInt8] = [0x00, 0x03]
  private let stop: [UInt8] = [0x01, 0x03]

  @Test(arguments: [VirtualAccessory.Kind.dult, .airTag])
  func soundsAndEndsByItself(kind: VirtualAccessory.Kind) {
    var machine = machine(kind)
    #expect(machine.write(start, at: 0) == .taken([response(0x0300, 0)]))
    #expect(machine.write(start, at: 1000) == .taken([response(0x0300, 1)]), "it sounds already")
    #expect(machine.advance(to: 9_999).isEmpty)
    #expect(machine.advance(to: 10_000) == [[0x03, 0x03]])
    #expect(machine.soundUntil == nil)
    #expect(machine.write(stop, at: 11_000) == .taken([response(0x0301, 1)]))
    #expect(machine.write(start, at: 12_000) == .taken([response(0x0300, 0)]))
    #expect(machine.write(stop, at: 13_000) == .taken([response(0x0301, 0), [0x03, 0x03]]))
  }

  /// Only who made it sound can stop it.
  @Test func isStoppedByWhoStartedIt() {
    var machine = machine()
    _ = machine.write(start, at: 0)
    machine.disconnected()
    #expect(machine.write(stop, at: 1000) == .taken([response(0x0301, 1)]))
    #expect(machine.soundUntil == 10_000)
    #expect(machine.advance(to: 10_000).isEmpty, "nobody is there to be told")
    #expect(machine.soundUntil == nil)
  }

  @Test func obeysNobodyWhileItsOwnerIsNear() {
    var machine = machine(.airTag, isSeparated: false)
    for opcode in [0x0003, 0x0004, 0x000A, 0x0300, 0x0301] as [UInt16] {
      let bytes = [UInt8(opcode & 255), UInt8(opcode >> 8)]
      #expect(machine.write(bytes, at: 0) == .taken([response(opcode, 0xFFFF)]))
    }
    #expect(machine.writeAirTag([0xAF], at: 0) == .refused(0x80))
  }

  @Test func refusesWhatItDoesNotKnow() {
    var machine = machine()
    #expect(machine.write([], at: 0) == .taken([response(0, 3)]))
    #expect(machine.write([0x00], at: 0) == .taken([response(0, 3)]))
    #expect(machine.write([0x00, 0x03, 1], at: 0) == .taken([response(0x0300, 3)]))
    #expect(machine.write([0x04, 0x00, 0], at: 0) == .taken([response(0x0004, 3)]))
    for opcode in [0x0000, 0x0001, 0x0302, 0x0303, 0x0404, 0x1234, 0xFFFF] as [UInt16] {
      let bytes = [UInt8(opcode & 255), UInt8(opcode >> 8)]
      #expect(machine.write(bytes, at: 0) == .taken([response(opcode, 0xFFFF)]))
    }
    #expect(machine.soundUntil == nil)
  }

  @Test func tellsWhatItIs() {
    var machine = machine(.airTag)
    guard case .taken(let answers) = machine.write([0x05, 0x00], at: 0) else {
      Issue.record("refused")
      return
    }
    #expect(answers.count == 1)
    #expect(Array(answers[0].prefix(8)) == [0x05, 0x08] + Array("AirTag".utf8))
    #expect(answers[0].count == 66)
  }

  @Test func hasTheServiceOfAirTags() {
    var machine = machine(.airTag)
    #expect(machine.writeAirTag([0xAE], at: 0) == .refused(0x13))
    #expect(machine.writeAirTag([], at: 0) == .refused(0x13))
    #expect(machine.writeAirTag([0xAF], at: 0) == .taken([]))
    #expect(machine.soundUntil == 10_000)
  }

  /// Who waits for one that is connected gets it when that ends, however slowly time passes.
  @Test(.timeLimit(.minutes(10))) func takesTheNextConnectionWhenOneEnds() async throws {
    let clock = HaltingClock()
    let room = try TrackerRoom(seed: 1, demoKinds: [], clock: clock)
    let radio = room.radio()
    try await radio.source.start()
    let source = try #require(radio.source as? VirtualRadioSource)
    var peer: GATTPeer?
    while peer == nil, let batch = try await radio.source.nextBatch() {
      peer = batch.last { source.accessory(at: $0.address) != nil }
        .map { GATTPeer($0.address, $0.addressType) }
    }
    let found = try #require(peer)
    let first = try await radio.client.connect(to: found)
    clock.halt()
    let second = Task { try await radio.client.connect(to: found) }
    try await clock.sleepers.until { $0 > 0 }
    await first.disconnect()
    let next = try await second.value
    await next.disconnect()
    await radio.source.stop()
  }

  /// Over the radio of the room: found by the address that it has now, whoever it is.
  @Test func areConnectedTo() async throws {
    let room = try TrackerRoom(seed: 1, demoKinds: [], clock: JumpingClock())
    let radio = room.radio()
    try await radio.source.start()
    let source = try #require(radio.source as? VirtualRadioSource)
    var kinds: Set<VirtualAccessory> = []
    while kinds.count < 3, let batch = try await radio.source.nextBatch() {
      for report in batch {
        guard let accessory = source.accessory(at: report.address),
          kinds.insert(accessory).inserted
        else { continue }
        let peer = GATTPeer(report.address, report.addressType)
        let connection = try await radio.client.connect(to: peer)
        let dult = try await connection.characteristic(
          TrackerCharacteristic.nonOwnerSound.uuid, of: TrackerCharacteristic.nonOwnerSound.service)
        try await connection.subscribe(to: dult)
        try await connection.write(start, to: dult)
        let answer = try await connection.nextValue(of: dult, within: .seconds(5))
        #expect(answer == response(0x0300, accessory.isSeparated ? 0 : 0xFFFF))
        if accessory.isSeparated {
          #expect(try await connection.nextValue(of: dult, within: .seconds(12)) == [0x03, 0x03])
        }
        #expect(await connection.characteristics.count == (accessory.kind == .airTag ? 2 : 1))
        await #expect(throws: GATTError.self) {
          _ = try await radio.client.connect(
            to: peer, GATTLimits(connect: .milliseconds(100)))
        }
        await connection.disconnect()
      }
    }
    #expect(kinds.count == 3)
    await radio.source.stop()
  }
}
