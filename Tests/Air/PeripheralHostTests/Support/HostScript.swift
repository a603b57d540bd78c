import Bluetooth
import LunaTesting

@testable import PeripheralHost

/// A host and its controller, which talk in simulated time, and peers in the air.
final class HostScript {
  static let value = BluetoothUUID.bit16(0x2A07)
  /// Handles: 1 to 6 what every device has, 7 service, 8 declaration, 9 value, 10 configuration.
  static let services = [GATTService(.bit16(0x1804), [.init(value, [.read, .write, .indicate])])]

  var host: PeripheralHost
  var controller: ScriptedController
  private(set) var now = Duration.zero
  /// What the host told, but for what it sent.
  var told: [PeripheralHost.Action] = []
  /// The ATT PDUs that reached peers.
  private(set) var pdus: [[UInt8]] = []
  /// What a legacy controller was switched on with.
  private(set) var airings: [Airing] = []
  /// Whether a legacy controller is on; then address and parameters cannot change.
  private(set) var isOnAir = false
  private(set) var changesOnAir = 0
  private(set) var packets = 0

  /// Statuses with which commands are refused, once.
  var refusesOnce: [UInt16: UInt8] = [:]
  /// Whether the controller does not say so when packets were sent.
  var keepsPackets = false
  /// Whether links stay up that this side ends.
  var keepsLinks = false
  /// Whether answers wait for ``release()``.
  var holdsAnswers = false
  /// Whether events come byte by byte, with their H4 indicators.
  var comesInPieces = false

  private var events: [[UInt8]] = []
  private var isReleasing = false
  private var assemblers: [UInt16: L2CAPAssembler] = [:]

  init(
    _ controller: ScriptedController = .legacy, count: Int = 1,
    serving services: [GATTService] = HostScript.services, largestMTU: Int = ATTPDU.maximumMTU
  ) {
    self.controller = controller
    host = PeripheralHost(serving: services, count: count, largestMTU: largestMTU)
  }

  /// One that advertises number 1.
  static func onAir(
    _ controller: ScriptedController = .legacy, largestMTU: Int = ATTPDU.maximumMTU
  ) -> HostScript {
    let script = HostScript(controller, largestMTU: largestMTU)
    script.start()
    script.advertise(1)
    script.told = []
    return script
  }

  /// One to which a peer has connected.
  static func connected(
    _ controller: ScriptedController = .legacy, largestMTU: Int = ATTPDU.maximumMTU
  ) -> HostScript {
    let script = onAir(controller, largestMTU: largestMTU)
    script.connect()
    return script
  }

  static func advertisement(_ number: UInt8, _ pdu: PDUType = .advInd) -> Advertisement {
    Advertisement(
      address: BluetoothAddress(value: 0xC000_0000_0000 | UInt64(number)), pdu: pdu,
      data: [2, 1, 6, 2, 0xFF, number], scanResponse: pdu == .advInd ? [2, 9, 0x4C] : [],
      interval: 1000)
  }

  func start() { perform(host.start(at: now)) }

  func advertise(_ number: UInt8, as set: Int = 0, _ pdu: PDUType = .advInd) {
    perform(host.advertise(HostScript.advertisement(number, pdu), as: set, at: now))
  }

  /// Lets time pass, deadline by deadline.
  func run(for duration: Duration) {
    let end = now + duration
    while let deadline = host.deadline, deadline <= end { advance(to: deadline) }
    advance(to: end)
  }

  /// Lets time pass at once.
  func advance(to time: Duration) {
    now = max(now, time)
    perform(host.tick(at: now))
  }

  /// The link that began last.
  var link: PeripheralLink? {
    for case .link(.connected, let link) in told.reversed() { return link }
    return nil
  }

  /// What happened on links.
  var happened: [PeripheralEvent] {
    told.compactMap { if case .link(let event, _) = $0 { event } else { nil } }
  }

  /// The commands that came after the set-up, which ends with Read Buffer Size.
  var opcodes: [UInt16] {
    let end = controller.opcodes.lastIndex(of: HCIOpcode.leReadBufferSize) ?? -1
    return Array(controller.opcodes[(end + 1)...])
  }

  /// Carries out what the host wants; the controller answers.
  func perform(_ actions: [PeripheralHost.Action]) {
    for action in actions {
      guard case .send(let packet) = action else {
        told.append(action)
        continue
      }
      let body = Array(packet.dropFirst())
      if packet[0] == HCIPacketType.command.rawValue, let command = HCICommand(body.span) {
        take(command)
      } else if packet[0] == HCIPacketType.acl.rawValue, let packet = HCIACLPacket(body.span) {
        take(packet)
      }
    }
    if !holdsAnswers { release() }
  }

  /// The controller sends an event, from its code on.
  func feed(_ event: [UInt8]) {
    events.append(event)
    release()
  }

  /// The controller sends what waits.
  func release() {
    // One event after the other, whatever they lead to.
    guard !isReleasing else { return }
    isReleasing = true
    defer { isReleasing = false }
    while !events.isEmpty {
      let event = events.removeFirst()
      if comesInPieces {
        for byte in [HCIPacketType.event.rawValue] + event { feed(stream: [byte]) }
      } else {
        perform(host.receive(.event, event.span, at: now))
      }
    }
  }

  /// The controller sends bytes.
  func feed(stream bytes: [UInt8]) { perform(host.receive(stream: bytes.span, at: now)) }

  private func take(_ command: HCICommand) {
    switch command.opcode {
    case HCIOpcode.leSetRandomAddress, HCIOpcode.leSetAdvertisingParameters:
      if isOnAir { changesOnAir += 1 }
    case HCIOpcode.reset: isOnAir = false
    default: break
    }
    guard let event = answer(command) else { return }
    events.append(event)
    // Command Complete: code, length, number, opcode 2, status
    guard event[0] == HCIEventCode.commandComplete, event[5] == 0 else { return }
    if command.opcode == HCIOpcode.leSetAdvertisingEnable { turn(command.parameters == [1]) }
    if command.opcode == HCIOpcode.disconnect, !keepsLinks,
      let handle = command.parameters.span.littleEndianWord(at: 0)
    {
      events.append(LinkScript.gone(handle, 0x16))
    }
  }

  private func turn(_ on: Bool) {
    isOnAir = on
    if on, let airing = Airing(at: now, controller.received) { airings.append(airing) }
  }

  private func answer(_ command: HCICommand) -> [UInt8]? {
    guard let status = refusesOnce.removeValue(forKey: command.opcode) else {
      return controller.answer(command)
    }
    _ = controller.answer(command)
    return [0x0E, 0x04, 0x01] + command.opcode.octets + [status]
  }

  private func take(_ packet: HCIACLPacket) {
    packets += 1
    if let frame = assemblers[packet.handle, default: L2CAPAssembler()].take(packet),
      frame.channel == L2CAPChannel.attribute
    {
      pdus.append(frame.payload)
    }
    if !keepsPackets { events.append(LinkScript.sent(packet.handle, 1)) }
  }

  /// A peer connects to what is on air.
  func connect(_ handle: UInt16 = 0x40) {
    isOnAir = false
    assemblers[handle] = nil
    feed(LinkScript.complete(handle, central: false))
  }

  /// A peer sends an ATT PDU.
  func ask(_ pdu: [UInt8], _ handle: UInt16 = 0x40) {
    send(pdu, on: L2CAPChannel.attribute, handle)
  }

  /// A peer sends a frame.
  func send(_ payload: [UInt8], on channel: UInt16, _ handle: UInt16 = 0x40) {
    let data = UInt16(payload.count).octets + channel.octets + payload
    let packet = HCIACLPacket(handle: handle, boundary: 2, data: data)
    let bytes = Array(packet.h4Packet.dropFirst())
    perform(host.receive(.acl, bytes.span, at: now))
  }

  /// A peer ends its link.
  func leave(_ handle: UInt16 = 0x40) { feed(LinkScript.gone(handle, 0x13)) }
}
