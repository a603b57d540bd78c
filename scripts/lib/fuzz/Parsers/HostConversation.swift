import Bluetooth
import PeripheralHost

/// A host whose controller sends anything: an H4 stream of events and packets. Commands in it stand for
/// what this side wants; what the host sends is answered.
struct HostConversation {
  private static let value = BluetoothUUID.bit16(0x2A07)
  private static let services = [
    GATTService(.bit16(0x1804), [.init(value, [.read, .write, .indicate])])
  ]

  private var host = PeripheralHost(serving: HostConversation.services)
  /// Every so many commands one is refused; none where it is 0.
  private let refusal: Int
  private var now = Duration.zero
  private var commands = 0
  private var links: Set<PeripheralLink> = []
  private var answers: [[UInt8]] = []

  @Sendable static func run(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    var packets: [(HCIPacketType, [UInt8])] = []
    var splitter = H4Splitter()
    splitter.feed(Array(bytes.dropFirst()).span) { type, packet in
      packets.append((type, (0..<packet.count).map { packet[$0] }))
    }
    var conversation = HostConversation(first)
    for (type, packet) in packets { conversation.take(type, packet) }
  }

  private init(_ first: UInt8) {
    refusal = Int(first & 0x0F)
    perform(host.start(at: now))
  }

  private mutating func take(_ type: HCIPacketType, _ packet: [UInt8]) {
    now += .milliseconds(100)
    if type == .command, let command = HCICommand(packet.span) {
      want(command)
    } else {
      perform(host.receive(type, packet.span, at: now))
    }
    precondition(links.count <= 1, "a second peer")
    precondition(host.deadline.map { $0 < now + .seconds(31) } ?? true, "a wait without an end")
  }

  private mutating func want(_ command: HCICommand) {
    let parameter = command.parameters.first ?? 0
    switch command.opcode & 7 {
    case 0:
      let advertisement = Advertisement(
        address: BluetoothAddress(value: 0xC000_0000_0000 | UInt64(parameter)),
        pdu: parameter & 1 == 0 ? .advInd : .advNonconnInd, data: command.parameters,
        scanResponse: [], interval: Int64(parameter) * 100)
      perform(host.advertise(advertisement, as: 0, at: now))
    case 1: perform(host.silence(0, at: now))
    case 2:
      now += .milliseconds(Int(parameter) * 50)
      perform(host.tick(at: now))
    case 3: for link in links { perform(host.disconnect(link, at: now)) }
    case 4: for link in links { perform(host.respond(.value([parameter]), on: link, at: now)) }
    case 5: for link in links { perform(host.respond(.written, on: link, at: now)) }
    case 6:
      for link in links {
        let value = command.parameters
        perform(host.indicate(value, of: HostConversation.value, on: link, at: now))
      }
    default: if parameter == 0xFF { perform(host.stop(at: now)) }
    }
  }

  private mutating func perform(_ actions: [PeripheralHost.Action]) {
    for action in actions { perform(action) }
    while !answers.isEmpty {
      let answer = answers.removeFirst()
      for action in host.receive(.event, answer.span, at: now) { perform(action) }
    }
  }

  private mutating func perform(_ action: PeripheralHost.Action) {
    switch action {
    case .send(let packet) where packet[0] == HCIPacketType.command.rawValue:
      commands += 1
      let isRefused = refusal > 0 && commands.isMultiple(of: refusal)
      answers.append([0x0E, 4, 1, packet[1], packet[2], isRefused ? 0x0C : 0])
    case .send(let packet): answers.append([0x13, 5, 1, packet[1], packet[2] & 0x0F, 1, 0])
    case .link(.connected, let link):
      precondition(links.insert(link).inserted, "a link that came up twice")
    case .link(.disconnected, let link):
      precondition(links.remove(link) != nil, "a link that went down twice")
    case .link(_, let link):
      precondition(links.contains(link), "news of a link that is down")
    case .ready, .settled, .reset, .failed, .stopped: break
    }
  }
}
