import Bluetooth
import PeripheralHost

/// The links of a controller that sends anything: an H4 stream of events and packets. Commands in it
/// stand for what this side does.
struct ControllerConversation {
  private static let peer = GATTPeer(BluetoothAddress(value: 0xE71A_0000_0001), .random)

  private var links: HCILinks
  private let room: Int
  private var now = Duration.zero
  private var announced: Set<LinkID> = []

  @Sendable static func run(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    var packets: [(HCIPacketType, [UInt8])] = []
    var splitter = H4Splitter()
    splitter.feed(Array(bytes.dropFirst()).span) { type, packet in
      packets.append((type, (0..<packet.count).map { packet[$0] }))
    }
    var conversation = ControllerConversation(first)
    for (type, packet) in packets { conversation.take(type, packet) }
  }

  private init(_ first: UInt8) {
    room = 1 + Int(first & 3)
    links = HCILinks(
      settings: HCILinks.Settings(
        isExtended: first & 4 != 0, acceptsPeers: first & 8 != 0,
        buffers: ACLBuffers(size: 20 + Int(first >> 4), count: room)))
  }

  private mutating func take(_ type: HCIPacketType, _ packet: [UInt8]) {
    now += .milliseconds(100)
    switch type {
    case .event: perform(links.receive(event: packet.span, at: now))
    case .acl: if let packet = HCIACLPacket(packet.span) { perform(links.receive(packet)) }
    case .command: if let command = HCICommand(packet.span) { want(command) }
    case .synchronous, .isochronous: break
    }
    let load = links.load
    precondition(Set(links.announced) == announced, "a link that was not told of, or twice")
    precondition(load.inFlight <= room, "more packets than there is room for")
    precondition(load.waiting <= (HCILinks.queueLimit + 600) * HCILinks.capacity, "no end")
  }

  private mutating func want(_ command: HCICommand) {
    let parameter = Int(command.parameters.first ?? 0)
    let id = links.announced.sorted { $0.serial < $1.serial }.first
    switch command.opcode & 7 {
    case 0: perform(links.connect(to: ControllerConversation.peer, until: now + .seconds(5)))
    case 1: perform(links.cancel(at: now))
    case 2:
      now += .milliseconds(parameter * 50)
      perform(links.tick(at: now))
    case 3: if let id { perform(links.disconnect(id, at: now)) }
    default:
      if let id { perform(links.send([UInt8](repeating: 1, count: parameter * 2), on: id)) }
    }
  }

  private mutating func perform(_ actions: [HCILinks.Action]) {
    for action in actions {
      switch action {
      case .connected(let id), .accepted(let id):
        precondition(announced.insert(id).inserted, "a link that came up twice")
      case .down(let id, _, _):
        precondition(announced.remove(id) != nil, "a link that went down twice")
      case .received(let id, let pdu):
        precondition(announced.contains(id) && pdu.count <= L2CAPAssembler.longestPayload)
      case .command(let command):
        // Every other one is refused.
        let status: UInt8 = command.parameters.count.isMultiple(of: 2) ? 0 : 0x0C
        let event: [UInt8] =
          [0x0F, 0x04, status, 1] + [UInt8(command.opcode & 0xFF), UInt8(command.opcode >> 8)]
        if status != 0, let reply = HCICommandReply(event: event.span) {
          perform(links.replied(to: command, reply, at: now))
        }
      case .packet, .failed, .advertisingSet, .ready, .stuck: break
      }
    }
  }
}
