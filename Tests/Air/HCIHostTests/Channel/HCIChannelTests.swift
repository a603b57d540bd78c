import Bluetooth
import EventLoop
import Glibc
import Testing

@testable import HCIHost

@Suite(.timeLimit(.minutes(10))) struct HCIChannelTests {
  /// Has a recording read.
  private actor Listener: ReactorActor {
    nonisolated let reactor: Reactor
    private var channel: HCIChannel?
    /// How often the channel wanted to read.
    private(set) var looks = 0

    init(_ reactor: Reactor) { self.reactor = reactor }

    func listen(to descriptor: Int32, _ packets: AsyncStream<HCIPacketType>.Continuation) {
      let channel = HCIChannel(descriptor, .recording, on: reactor)
      channel.isCongested = {
        self.assumeIsolated { $0.looks += 1 }
        return false
      }
      channel.onPacket = { type, _, _ in packets.yield(type) }
      channel.onEnd = { _ in packets.finish() }
      channel.resume()
      self.channel = channel
    }

    /// Has the reactor come round.
    func turn() {}

    func close() {
      channel?.close()
      channel = nil
    }
  }

  @Test func aPipeThatHasNothingYetIsWaitedFor() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    let listener = Listener(Reactor(name: "test"))
    let (packets, inlet) = AsyncStream.makeStream(of: HCIPacketType.self)
    await listener.listen(to: ends[0], inlet)
    for _ in 0..<100 { await listener.turn() }
    #expect(await listener.looks < 10)
    let event: [UInt8] = [0x04, 0x0E, 0x01, 0x00]
    #expect(write(ends[1], event, event.count) == event.count)
    close(ends[1])
    var types: [HCIPacketType] = []
    for await type in packets { types.append(type) }
    #expect(types == [.event])
    await listener.close()
  }
}
