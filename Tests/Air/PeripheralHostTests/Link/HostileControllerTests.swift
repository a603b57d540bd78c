import Bluetooth
import LunaTesting
import Testing

@testable import PeripheralHost

/// Events and packets that no controller should send change nothing, and stop nothing.
@Suite struct HostileControllerTests {
  private static let events: [[UInt8]] = [
    LinkScript.complete(0x40), LinkScript.complete(0x40, central: false),
    LinkScript.enhanced(0x41), LinkScript.complete(0, status: 0x3E), LinkScript.gone(0x40, 0x13),
    LinkScript.sent(0x40, 1), [0x13, 0x09, 2, 0x40, 0, 1, 0, 0x41, 0, 0xFF, 0xFF],
    [0x3E, 0x0A, 0x03, 0, 0x40, 0, 40, 0, 0, 0, 0xF4, 0x01],
    [0x3E, 0x0D, 0x05, 0x40, 0] + [UInt8](repeating: 0, count: 10),
    [0x3E, 0x0B, 0x06, 0x40, 0, 24, 0, 40, 0, 0, 0, 0xF4, 0x01],
    [0x3E, 0x06, 0x12, 0, 3, 0x40, 0, 0],
  ]

  @Test func ignoresEventsThatEndTooEarly() throws {
    for event in HostileControllerTests.events {
      for count in 0..<event.count {
        let script = LinkScript(acceptsPeers: true)
        _ = try #require(script.connect(0x42))
        let cut = Array(event.prefix(count))
        // As it came, and with a length that says so.
        let actions = script.event(cut)
        #expect(!actions.contains { if case .connected = $0 { true } else { false } })
        guard count >= 2 else { continue }
        #expect(script.event([cut[0], UInt8(count - 2)] + cut[2...]) == actions)
      }
    }
  }

  @Test func ignoresReservedHandles() {
    for handle: UInt16 in [0x0F00, 0x0FFF] {
      let script = LinkScript(acceptsPeers: true)
      #expect(script.event(LinkScript.complete(handle, central: false)) == [])
      #expect(script.links.isIdle)
    }
  }

  @Test func ignoresCountsThatRunOver() throws {
    let script = LinkScript(size: 27, count: 1)
    let id = try #require(script.connect())
    _ = script.links.send([1], on: id)
    #expect(script.event([0x13, 0x01, 255]) == [])
    #expect(script.event([0x13, 0x05, 255, 0x40, 0, 0, 0]) == [])
    #expect(script.links.links[0x40]?.inFlight == 1)
  }

  @Test func hasRoomForSoManyLinks() {
    let script = LinkScript(acceptsPeers: true)
    var refused = 0
    for handle in (0..<0x0F00) as Range<UInt16> {
      let actions = script.event(LinkScript.complete(handle, central: false))
      if case .command? = actions.first { refused += 1 }
    }
    #expect(script.links.links.count == HCILinks.capacity)
    #expect(refused == 0x0F00 - HCILinks.capacity)
  }

  /// In an order of their own: that of a dictionary is another one in each process.
  private func anyLink(of script: LinkScript, _ random: inout Seeded) -> LinkID? {
    let handle = script.links.links.values.randomElement(using: &random)?.id.handle
    return handle.flatMap { script.links.links[$0]?.id }
  }

  @Test func survivesAnything() {
    var random = Seeded.drawn()
    for _ in 0..<300 {
      let script = LinkScript(
        extended: .random(using: &random), acceptsPeers: .random(using: &random),
        size: .random(in: 1...40, using: &random), count: .random(in: 1...3, using: &random))
      var down = 0
      var up = 0
      for _ in 0..<60 {
        script.now += .milliseconds(Int.random(in: 0...900, using: &random))
        var actions: [HCILinks.Action] = []
        switch Int.random(in: 0..<7, using: &random) {
        case 0:
          actions = script.links.connect(to: LinkScript.peer, until: script.now + .seconds(2))
        case 1: actions = script.links.cancel(at: script.now)
        case 2: actions = script.links.tick(at: script.now)
        case 3:
          let data = (0..<Int.random(in: 0...40, using: &random)).map { _ in
            UInt8.random(in: 0...6, using: &random)
          }
          actions = script.links.receive(
            HCIACLPacket(
              handle: .random(in: 0x40...0x42, using: &random),
              boundary: .random(in: 0...3, using: &random), data: data))
        case 4:
          if let id = anyLink(of: script, &random) {
            let count = Int.random(in: 0...99, using: &random)
            actions = script.links.send([UInt8](repeating: 1, count: count), on: id)
          }
        case 5:
          if let id = anyLink(of: script, &random) {
            actions = script.links.disconnect(id, at: script.now)
          }
        default:
          var event = HostileControllerTests.events.randomElement(using: &random) ?? []
          if Bool.random(using: &random) {
            let index = Int.random(in: 0..<event.count, using: &random)
            event[index] = .random(in: 0...255, using: &random)
          }
          actions = script.event(event)
        }
        for action in actions {
          switch action {
          case .connected, .accepted: up += 1
          case .down: down += 1
          default: break
          }
        }
        let announced = script.links.links.values.count { $0.isAnnounced }
        #expect(up - down == announced)
        let inFlight = script.links.links.values.reduce(0) { $0 + $1.inFlight }
        #expect(inFlight <= script.links.settings.buffers.count)
      }
    }
  }
}
