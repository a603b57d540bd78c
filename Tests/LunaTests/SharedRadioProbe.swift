import Bluetooth

@testable import Luna

/// A radio whose halves tell what is done to them.
enum SharedRadioProbe {
  typealias Tell = @Sendable (String) -> Void

  static let peer = GATTPeer(BluetoothAddress(value: 0xC0FF_EE00_0001), .random)

  static func radio(_ tell: @escaping Tell = { _ in }) -> SharedRadio {
    SharedRadio(.auto) { _ in Radio(source: Source(tell), client: Client(tell)) }
  }

  private final class Source: AdvertisementSource {
    let tell: Tell
    init(_ tell: @escaping Tell) { self.tell = tell }
    var description: SourceDescription {
      SourceDescription(name: "probe", simulated: true, explanation: "a probe")
    }
    var states: AsyncStream<SourceState> { AsyncStream { $0.finish() } }
    var counters: SourceCounters { SourceCounters() }
    func start() async throws(SourceError) { tell("start") }
    func nextBatch() async throws(SourceError) -> [AdvertisingReport]? { nil }
    func stop() async { tell("stop") }
  }

  private final class Client: GATTClient {
    let tell: Tell
    init(_ tell: @escaping Tell) { self.tell = tell }
    func connect(
      to peer: GATTPeer, _ limits: GATTLimits, progress: @escaping @Sendable (String) -> Void
    ) async throws(GATTError) -> any GATTConnection {
      throw GATTError(.outOfRange, during: "connect", "nobody is here")
    }
    func close() async { tell("close") }
  }
}
