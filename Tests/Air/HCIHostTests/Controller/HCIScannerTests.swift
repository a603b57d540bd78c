import Bluetooth
import Diagnosis
import LunaTesting
import PeripheralHost
import Testing

@testable import HCIHost

@Suite struct HCIScannerTests {
  private static let random = BluetoothAddress(value: 0xC0FF_EE00_0001)

  private func scanner(active: Bool = true, phys: Set<PHY> = [.le1M]) -> HCIScanner {
    HCIScanner(
      settings: HCIScanner.Settings(
        isActive: active, phys: phys, randomAddress: HCIScannerTests.random))
  }

  private func start(
    _ scanner: inout HCIScanner, _ controller: inout ScriptedController
  ) -> [HCIScanner.Action] {
    controller.run(&scanner, scanner.start())
  }

  @Test func scansWithLegacyCommands() {
    var scanner = scanner()
    var controller = ScriptedController.legacy
    #expect(start(&scanner, &controller) == [.scanning])
    #expect(!scanner.isExtended)
    #expect(
      controller.opcodes == [
        0x0C03, 0x1001, 0x1003, 0x1002, 0x1009, 0x0C01, 0x2003, 0x2001, 0x2002, 0x200C, 0x200B,
        0x200C,
      ])
    // type active | interval 60 ms, window the same | own address public | all advertisers
    #expect(controller.parameters(of: 0x200B) == [0x01, 0x60, 0x00, 0x60, 0x00, 0x00, 0x00])
    // on, duplicates not filtered
    #expect(controller.parameters(of: 0x200C) == [0x01, 0x00])
    #expect(controller.parameters(of: 0x2001) == [0x1F, 0, 0, 0, 0, 0, 0, 0])
    #expect(controller.parameters(of: 0x0C01) == [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x00, 0x20])
    #expect(scanner.setup.version == 12)
    #expect(scanner.setup.manufacturer == 0x05F1)
    #expect(scanner.setup.address == BluetoothAddress(value: 0xF0F1_F2F3_F410))
    #expect(scanner.setup.buffers == ACLBuffers(size: 251, count: 8))
  }

  @Test func scansWithExtendedCommands() {
    var scanner = scanner(active: false)
    var controller = ScriptedController.extended
    #expect(start(&scanner, &controller) == [.scanning])
    #expect(scanner.isExtended)
    // own address public, all advertisers, LE 1M | passive, interval, window
    #expect(
      controller.parameters(of: 0x2041) == [0x00, 0x00, 0x01, 0x00, 0x60, 0x00, 0x60, 0x00])
    // on, duplicates not filtered, no duration, no period
    #expect(controller.parameters(of: 0x2042) == [0x01, 0x00, 0, 0, 0, 0])
    // LE Extended Advertising Report and LE Enhanced Connection Complete too
    #expect(controller.parameters(of: 0x2001) == [0x1F, 0x12, 0, 0, 0, 0, 0, 0])
    #expect(!controller.opcodes.contains(0x200B) && !controller.opcodes.contains(0x200C))
  }

  @Test func sharesTheTimeBetweenTwoPHYs() {
    var scanner = scanner(phys: [.le1M, .leCoded])
    var controller = ScriptedController.extended
    #expect(start(&scanner, &controller) == [.scanning])
    #expect(scanner.scans1M && scanner.scansCoded)
    // LE 1M and LE Coded: each active, a window of 60 ms every 120 ms
    #expect(
      controller.parameters(of: 0x2041) == [
        0x00, 0x00, 0x05, 0x01, 0xC0, 0x00, 0x60, 0x00, 0x01, 0xC0, 0x00, 0x60, 0x00,
      ])
  }

  @Test func listensOnCodedAlone() {
    var scanner = scanner(phys: [.leCoded])
    var controller = ScriptedController.extended
    #expect(start(&scanner, &controller) == [.scanning])
    #expect(
      controller.parameters(of: 0x2041) == [0x00, 0x00, 0x04, 0x01, 0x60, 0x00, 0x60, 0x00])
  }

  @Test func doesWithoutCodedWhereItCan() {
    var scanner = scanner(phys: [.le1M, .leCoded])
    var controller = ScriptedController.legacy
    #expect(start(&scanner, &controller) == [.scanning])
    #expect(!scanner.scansCoded)
  }

  @Test func saysThatCodedIsMissing() {
    var scanner = scanner(phys: [.leCoded])
    var controller = ScriptedController.extended
    controller.features = 0x01
    guard case .failed(let error)? = start(&scanner, &controller).first else {
      Issue.record("it scans")
      return
    }
    #expect(error.kind == .invalid)
    #expect(!controller.opcodes.contains(0x2041))
  }

  @Test func usesARandomAddressWithoutAPublicOne() {
    var scanner = scanner()
    var controller = ScriptedController.legacy
    controller.address = 0
    #expect(start(&scanner, &controller) == [.scanning])
    #expect(controller.parameters(of: 0x2005) == [0x01, 0x00, 0x00, 0xEE, 0xFF, 0xC0])
    #expect(controller.parameters(of: 0x200B)?[5] == 0x01)
  }

  @Test func tellsADualModeControllerThatTheHostHasLE() {
    var scanner = scanner()
    var controller = ScriptedController(commands: [(24, 6), (26, 2), (26, 3)])
    controller.lmpFeatures = [0, 0, 0, 0, 0x40, 0, 0, 0]
    #expect(start(&scanner, &controller) == [.scanning])
    #expect(controller.parameters(of: 0x0C6D) == [0x01, 0x00])
  }

  @Test(arguments: [0x1001, 0x1002, 0x1003, 0x1009, 0x2002, 0x2003, 0x0C01] as [UInt16])
  func doesWithoutWhatIsNotNeeded(_ opcode: UInt16) {
    for status: UInt8 in [0x01, 0x0C, 0x12] {
      var scanner = scanner()
      var controller = ScriptedController.legacy
      controller.refusals[opcode] = status
      #expect(start(&scanner, &controller) == [.scanning])
    }
  }

  @Test(
    arguments: [
      (0x0C03, 0x1F, "Reset: Unspecified Error (0x1F)"),
      (0x200B, 0x12, "LE Set Scan Parameters: Invalid HCI Command Parameters (0x12)"),
      (0x200C, 0x0C, "LE Set Scan Enable: Command Disallowed (0x0C)"),
    ] as [(UInt16, UInt8, String)])
  func namesWhatIsRefused(_ opcode: UInt16, _ status: UInt8, _ words: String) {
    var scanner = scanner()
    var controller = ScriptedController.legacy
    controller.refusals[opcode] = status
    guard case .failed(let error)? = start(&scanner, &controller).first else {
      Issue.record("it scans")
      return
    }
    #expect(error.reason.hasSuffix(words))
  }

  @Test func saysThatTheControllerHasNoLE() {
    var scanner = scanner()
    var controller = ScriptedController.legacy
    controller.refusals[0x2001] = 0x01
    guard case .failed(let error)? = start(&scanner, &controller).first else {
      Issue.record("it scans")
      return
    }
    #expect(error.kind == .noAdapter)
  }

  @Test func fallsBackToLegacyCommandsOverAReset() {
    var scanner = scanner()
    var controller = ScriptedController.extended
    controller.refusals[0x2041] = 0x01
    #expect(start(&scanner, &controller) == [.scanning])
    #expect(!scanner.isExtended)
    let last = controller.opcodes.lastIndex(of: 0x0C03) ?? 0
    #expect(controller.opcodes.firstIndex(of: 0x2041).map { $0 < last } == true)
    #expect(controller.opcodes[last...].contains(0x200C))
    #expect(!controller.opcodes[last...].contains(0x2041))
  }

  @Test(arguments: [0x0C03, 0x1002, 0x200C] as [UInt16])
  func noticesSilence(_ opcode: UInt16) {
    var scanner = scanner()
    var controller = ScriptedController.legacy
    controller.silent = [opcode]
    guard case .failed(let error)? = start(&scanner, &controller).first else {
      Issue.record("it scans")
      return
    }
    #expect(error.kind == .lost)
  }

  @Test func repeatsAResetThatIsLost() {
    for lost in 1...2 {
      var scanner = scanner()
      var controller = ScriptedController.legacy
      var actions = scanner.start()
      for _ in 0..<lost {
        #expect(actions == [.send(HCICommand(0x0C03))])
        actions = scanner.timedOut()
      }
      #expect(controller.run(&scanner, actions) == [.scanning])
      #expect(controller.opcodes.count { $0 == 0x0C03 } == 1)
    }
  }

  @Test func resetsThriceAtMost() {
    var scanner = scanner()
    var controller = ScriptedController.legacy
    controller.silent = [0x0C03]
    guard case .failed? = start(&scanner, &controller).first else {
      Issue.record("it scans")
      return
    }
    #expect(controller.opcodes == [0x0C03, 0x0C03, 0x0C03])
  }

  /// The scan of a program that was killed: Reset may be disallowed meanwhile, and the scan is off
  /// already after most resets.
  @Test(arguments: [ScriptedController.legacy, .extended], [true, false])
  func startsOverAScanThatSomebodyLeft(_ kind: ScriptedController, resets: Bool) {
    var scanner = scanner()
    var controller = kind
    if !resets { controller.refusals[0x0C03] = 0x0C }
    let opcode: UInt16 = kind.commands.count > 2 ? 0x2042 : 0x200C
    var actions = scanner.start()
    var isDisabled = false
    while case .send(let command)? = actions.first {
      if command.opcode == opcode, command.parameters.first == 0 {
        isDisabled = true
        controller.refusals[opcode] = 0x0C
      } else {
        controller.refusals[opcode] = nil
      }
      let event = controller.answer(command) ?? []
      actions = HCICommandReply(event: event.span).map { scanner.receive($0) } ?? []
    }
    #expect(actions == [.scanning])
    #expect(isDisabled)
  }

  @Test func ignoresAnswersThatNobodyWaitsFor() throws {
    var scanner = scanner()
    #expect(scanner.start() == [.send(HCICommand(0x0C03))])
    for event: [UInt8] in [
      [0x0E, 0x03, 0x01, 0x00, 0x00],  // commands may be sent
      [0x0E, 0x04, 0x01, 0x0C, 0x20, 0x00],  // another command, from before
      [0x0F, 0x04, 0x00, 0x01, 0x03, 0x0C],  // the status of the reset: it goes on
    ] {
      let reply = HCICommandReply(event: event.span)
      #expect(reply != nil)
      if let reply { #expect(scanner.receive(reply) == []) }
    }
    let done: [UInt8] = [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]
    let reply = HCICommandReply(event: done.span)
    if let reply { #expect(scanner.receive(reply) == [.send(HCICommand(0x1001))]) }
  }

  @Test(arguments: [0x00, 0x0C, nil] as [UInt8?])
  func switchesTheScanOff(_ status: UInt8?) {
    for kind in [ScriptedController.legacy, .extended] {
      var scanner = scanner()
      var controller = kind
      #expect(start(&scanner, &controller) == [.scanning])
      let opcode = scanner.isExtended ? HCIOpcode.leSetExtendedScanEnable : 0x200C
      if let status, status != 0 { controller.refusals[opcode] = status }
      if status == nil { controller.silent = [opcode] }
      #expect(controller.run(&scanner, scanner.stop()) == [.stopped])
      #expect(controller.parameters(of: opcode)?.first == 0)
      #expect(controller.run(&scanner, scanner.stop()) == [.stopped])
    }
  }

  @Test func hasNothingToSwitchOffBeforeItScans() {
    var scanner = scanner()
    _ = scanner.start()
    #expect(scanner.stop() == [.stopped])
  }

  @Test(arguments: [ScriptedController.legacy, .extended])
  func makesRoom(_ kind: ScriptedController) {
    var scanner = scanner()
    var controller = kind
    #expect(start(&scanner, &controller) == [.scanning])
    let opcode = scanner.isExtended ? HCIOpcode.leSetExtendedScanEnable : 0x200C
    #expect(scanner.resume() == [])
    #expect(controller.run(&scanner, scanner.pause()) == [.paused])
    #expect(scanner.isPaused && scanner.isRunning)
    #expect(controller.parameters(of: opcode)?.first == 0)
    #expect(scanner.pause() == [])
    #expect(controller.run(&scanner, scanner.resume()) == [.scanning])
    #expect(controller.parameters(of: opcode)?.first == 1)
    #expect(!scanner.isPaused && scanner.isRunning)
  }

  @Test func saysThatItCannotGoOn() {
    for status: UInt8? in [0x0C, nil] {
      var scanner = scanner()
      var controller = ScriptedController.legacy
      #expect(start(&scanner, &controller) == [.scanning])
      #expect(controller.run(&scanner, scanner.pause()) == [.paused])
      if let status { controller.refusals[0x200C] = status } else { controller.silent = [0x200C] }
      guard case .failed? = controller.run(&scanner, scanner.resume()).first else {
        Issue.record("it scans")
        return
      }
      #expect(!scanner.isRunning)
    }
  }

  @Test func stopsWhereverItIs() throws {
    let bytes: [UInt8] = [0x0E, 0x04, 0x01, 0x0C, 0x20, 0x00]
    let read = HCICommandReply(event: bytes.span)
    let done = try #require(read)
    var scanner = scanner()
    var controller = ScriptedController.legacy
    #expect(start(&scanner, &controller) == [.scanning])
    let off = HCICommand(0x200C, [0, 0])
    let on = HCICommand(0x200C, [1, 0])
    // While it goes into the pause: the same command does it.
    var pausing = scanner
    #expect(pausing.pause() == [.send(off)])
    #expect(pausing.stop() == [])
    #expect(pausing.receive(done) == [.stopped])
    // In the pause there is nothing to be done.
    var paused = scanner
    #expect(paused.pause() == [.send(off)])
    #expect(paused.receive(done) == [.paused])
    var resuming = paused
    #expect(paused.stop() == [.stopped])
    // While it comes out of the pause: first the answer, then off again.
    #expect(resuming.resume() == [.send(on)])
    #expect(resuming.stop() == [])
    #expect(resuming.receive(done) == [.send(off)])
    #expect(resuming.receive(done) == [.stopped])
  }
}
