import Bluetooth
import LunaProtocol
import LunaTesting
import TrackerMachine

@testable import TrackerBoard

/// A board with a scripted controller and a peer, in simulated time. What is in its flash outlives it.
final class BoardScript {
  private static let handle: UInt16 = 0x40

  let flash: SimulatedFlash
  private(set) var board: TrackerBoard<SimulatedFlash, Seeded>
  private(set) var now: Int64 = 0

  /// What the buzzer and the light were told.
  private(set) var sounds: [Bool] = []
  private(set) var lights: [Bool] = []
  private(set) var lines: [String] = []
  private(set) var feeds: [Int64] = []
  private(set) var faults: [BoardFault] = []
  /// The ATT PDUs that reached the peer.
  private(set) var pdus: [[UInt8]] = []
  private(set) var isOnAir = false
  private(set) var airings = 0
  /// How often the board was woken by its deadlines.
  private(set) var wakes = 0

  var controller = ScriptedController.legacy
  private var events: [[UInt8]] = []
  private var isReleasing = false
  private var assembler = L2CAPAssembler()
  private var generator: Seeded

  /// A board that gets power.
  init(
    flash: SimulatedFlash = SimulatedFlash(), hardware: TrackerHardware = TrackerHardware(),
    clock: Int64? = nil, isButtonDown: Bool = false, _ generator: Seeded
  ) throws {
    self.flash = flash
    self.generator = generator
    board = try TrackerBoard(flash: flash, hardware: hardware, using: generator)
    perform(
      board.start(at: now, clock: clock, note: .clockIsExact, isButtonDown: isButtonDown))
  }

  /// One with an owner, whose clock is exact.
  static func keyed(_ generator: Seeded) throws -> BoardScript {
    let flash = SimulatedFlash()
    var log = try FlashLog(flash)
    try log.store(TrackerSamples.keyed())
    return try BoardScript(flash: flash, clock: Int64(TrackerSamples.time) * 1000, generator)
  }

  /// The power goes, and comes again; time starts anew, and so does the controller.
  func restart(
    clock: Int64?, note: RestartNote = .clockIsExact, isButtonDown: Bool = false
  ) throws {
    now = 0
    controller = .legacy
    events = []
    pdus = []
    isOnAir = false
    // Other numbers than those before.
    generator = Seeded(generator.next())
    board = try TrackerBoard(flash: flash, using: generator)
    perform(board.start(at: now, clock: clock, note: note, isButtonDown: isButtonDown))
  }

  /// Lets time pass, deadline by deadline.
  func run(for duration: Int64) {
    let end = now + duration
    while let deadline = board.deadline, deadline <= end {
      now = max(now, deadline)
      wakes += 1
      perform(board.tick(at: now))
    }
    sleep(until: end)
  }

  /// Lets time pass at once.
  func sleep(until time: Int64) {
    now = max(now, time)
    perform(board.tick(at: now))
  }

  /// The contacts of the button close or open.
  func press(_ isClosed: Bool) { perform(board.press(isClosed, at: now)) }

  /// The button is pressed for so long, and bounces.
  func hold(for duration: Int64) {
    for isClosed in [true, false, true] { perform(board.press(isClosed, at: now)) }
    run(for: duration)
    for isClosed in [false, true, false] { perform(board.press(isClosed, at: now)) }
    run(for: 2 * Button.settling)
  }

  func measure(_ millivolts: Int) { perform(board.measure(millivolts: millivolts, at: now)) }

  /// What the console answers.
  func answer(to byte: Character) -> String? {
    let count = lines.count
    perform(board.answer(byte.asciiValue ?? 0))
    return lines.count > count ? lines.last : nil
  }

  /// The controller sends bytes.
  func feed(stream bytes: [UInt8]) { perform(board.receive(bytes.span, at: now)) }

  func connect() {
    isOnAir = false
    assembler = L2CAPAssembler()
    feed(LinkScript.complete(BoardScript.handle, central: false))
  }

  func leave() { feed(LinkScript.gone(BoardScript.handle, 0x13)) }

  /// Sends an ATT PDU.
  ///
  /// - Returns: what reached the peer since.
  @discardableResult
  func ask(_ pdu: [UInt8]) -> [[UInt8]] {
    let count = pdus.count
    let data = UInt16(pdu.count).octets + L2CAPChannel.attribute.octets + pdu
    let packet = HCIACLPacket(handle: BoardScript.handle, boundary: 2, data: data)
    events.append(packet.h4Packet)
    release()
    return Array(pdus.dropFirst(count))
  }

  private func feed(_ event: [UInt8]) {
    events.append([HCIPacketType.event.rawValue] + event)
    release()
  }

  private func perform(_ actions: [BoardAction]) {
    for action in actions {
      switch action {
      case .send(let packet): take(packet)
      case .sound(let isOn): sounds.append(isOn)
      case .light(let isOn): lights.append(isOn)
      case .write(let bytes): lines.append(String(decoding: bytes, as: UTF8.self))
      case .feed: feeds.append(now)
      case .restart(let fault): faults.append(fault)
      }
    }
    release()
  }

  /// The controller sends what waits, one packet after the other, whatever they lead to.
  private func release() {
    guard !isReleasing else { return }
    isReleasing = true
    defer { isReleasing = false }
    while !events.isEmpty {
      let packet = events.removeFirst()
      perform(board.receive(packet.span, at: now))
    }
  }

  private func take(_ packet: [UInt8]) {
    let body = Array(packet.dropFirst())
    if packet[0] == HCIPacketType.command.rawValue, let command = HCICommand(body.span) {
      take(command)
    } else if packet[0] == HCIPacketType.acl.rawValue, let packet = HCIACLPacket(body.span) {
      if let frame = assembler.take(packet), frame.channel == L2CAPChannel.attribute {
        pdus.append(frame.payload)
      }
      events.append([HCIPacketType.event.rawValue] + LinkScript.sent(packet.handle, 1))
    }
  }

  private func take(_ command: HCICommand) {
    if command.opcode == HCIOpcode.reset { isOnAir = false }
    guard let event = controller.answer(command) else { return }
    events.append([HCIPacketType.event.rawValue] + event)
    // Command Complete: code, length, number, opcode 2, status
    guard event[0] == HCIEventCode.commandComplete, event[5] == 0 else { return }
    if command.opcode == HCIOpcode.leSetAdvertisingEnable {
      isOnAir = command.parameters == [1]
      if isOnAir { airings += 1 }
    }
    if command.opcode == HCIOpcode.disconnect {
      let gone = LinkScript.gone(BoardScript.handle, 0x16)
      events.append([HCIPacketType.event.rawValue] + gone)
    }
  }
}
