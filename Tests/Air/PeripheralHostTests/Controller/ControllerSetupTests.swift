import Bluetooth
import LunaTesting
import Testing

@testable import PeripheralHost

@Suite struct ControllerSetupTests {
  /// Lets the two talk until the setup is over.
  private func run(
    _ setup: inout ControllerSetup, _ controller: inout ScriptedController
  ) -> ControllerSetup.Action? {
    var action: ControllerSetup.Action? = setup.start()
    while case .send(let command)? = action {
      if let event = controller.answer(command), let reply = HCICommandReply(event: event.span) {
        action = setup.receive(reply)
      } else {
        action = setup.timedOut()
      }
    }
    return action
  }

  @Test func asksForTheRoomOfBREDRWhenLEHasNone() {
    var setup = ControllerSetup()
    var controller = ScriptedController.legacy
    controller.leBuffers = [0, 0, 0]
    #expect(run(&setup, &controller) == .ready)
    #expect(controller.opcodes.last == HCIOpcode.readBufferSize)
    #expect(setup.buffers == ACLBuffers(size: 0x03FD, count: 6))
  }

  @Test func takesTheLeastRoomWhenNothingIsTold() {
    var setup = ControllerSetup()
    var controller = ScriptedController.legacy
    controller.refusals = [HCIOpcode.leReadBufferSize: 0x01, HCIOpcode.readBufferSize: 0x01]
    #expect(run(&setup, &controller) == .ready)
    #expect(setup.buffers == ACLBuffers(size: 27, count: 1))
  }

  /// What a controller says of its room for LE data: size 2, number. None may take less than 27 bytes.
  @Test(
    arguments: [
      ([20, 0, 3], ACLBuffers(size: 27, count: 3)), ([28, 0, 1], ACLBuffers(size: 28, count: 1)),
      ([0, 1, 9], ACLBuffers(size: 256, count: 9)),
      // Without a packet there is none: that of BR/EDR is asked for.
      ([251, 0, 0], ACLBuffers(size: 0x03FD, count: 6)),
      ([0, 0, 4], ACLBuffers(size: 0x03FD, count: 6)),
    ] as [([UInt8], ACLBuffers)])
  func learnsTheRoom(_ told: [UInt8], _ buffers: ACLBuffers) {
    var setup = ControllerSetup()
    var controller = ScriptedController.legacy
    controller.leBuffers = told
    #expect(run(&setup, &controller) == .ready)
    #expect(setup.buffers == buffers)
  }

  @Test(
    arguments: [(0, nil), (0xFFFF_FFFF_FFFF, nil), (0xFFFF_FFFF_FFFE, 0xFFFF_FFFF_FFFE)]
      as [(UInt64, UInt64?)])
  func takesNothingForAnAddress(_ told: UInt64, _ address: UInt64?) {
    var setup = ControllerSetup()
    var controller = ScriptedController.legacy
    controller.address = told
    #expect(run(&setup, &controller) == .ready)
    #expect(setup.address?.value == address)
  }

  @Test func asksForTheEventsOfWhatTheControllerHas() {
    var setup = ControllerSetup()
    // Extended scanning and advertising, and the connection parameters request procedure.
    var controller = ScriptedController(
      commands: [(37, 5), (37, 6), (36, 1), (36, 2), (36, 3), (36, 4), (36, 5)], features: 0x03)
    #expect(run(&setup, &controller) == .ready)
    #expect(setup.hasExtendedScan && setup.hasExtendedAdvertising)
    // bits 0 to 5, 9, 12 and 17
    #expect(controller.parameters(of: 0x2001) == [0x3F, 0x12, 0x02, 0, 0, 0, 0, 0])
  }

  @Test func doesWithFewerEventsWhenTheyAreRefused() {
    var setup = ControllerSetup()
    var controller = ScriptedController.extended
    controller.refusals[0x2001] = 0x12
    // It refuses the shorter list too.
    guard case .failed? = run(&setup, &controller) else {
      Issue.record("it is ready")
      return
    }
    let masks = controller.received.filter { $0.opcode == 0x2001 }.map(\.parameters)
    #expect(masks == [[0x1F, 0x12, 0, 0, 0, 0, 0, 0], [0x1F, 0x10, 0, 0, 0, 0, 0, 0]])
  }

  @Test func ignoresAnswersThatNobodyWaitsFor() throws {
    var setup = ControllerSetup()
    #expect(setup.start() == .send(HCICommand(HCIOpcode.reset)))
    let bytes: [UInt8] = [0x0E, 0x04, 0x01, 0x01, 0x20, 0x00]
    let read = HCICommandReply(event: bytes.span)
    let reply = try #require(read)
    #expect(setup.receive(reply) == nil)
    var ready = ControllerSetup()
    var controller = ScriptedController.legacy
    #expect(run(&ready, &controller) == .ready)
    #expect(ready.receive(reply) == nil)
    #expect(ready.timedOut() == nil)
  }
}
