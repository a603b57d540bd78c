import Luna
import Synchronization

/// Radios whose halves tell what is done to them, and that hear what a test gives them.
final class ProbeRadio: RadioProvider {
  static let peer = GATTPeer(BluetoothAddress(value: 0xC0FF_EE00_0001), .random)

  private let failure: SourceError?
  private let refused: ScanMode?
  private let events = Mutex<[String]>([])
  private let sources = Mutex<[Source]>([])

  /// - Parameters:
  ///   - failure: why there is no radio.
  ///   - refused: how it cannot scan.
  init(failure: SourceError? = nil, refusing refused: ScanMode? = nil) {
    self.failure = failure
    self.refused = refused
  }

  /// What was done, in order.
  var log: [String] { events.withLock(\.self) }

  let air = RadioAir.real

  func makeRadio(_ mode: ScanMode) throws(SourceError) -> Radio {
    if let failure { throw failure }
    if mode == refused { throw SourceError(.invalid, "it cannot scan so") }
    let source = Source { [self] in note("\($0) \(mode)") }
    sources.withLock { $0.append(source) }
    return Radio(source: source, client: Client { [self] in note("\($0) \(mode)") })
  }

  private func note(_ text: String) { events.withLock { $0.append(text) } }

  /// The radio that was made last hears something.
  func hear(_ count: Int) {
    let report = AdvertisingReport(
      time: Timestamp(microseconds: 1), adapter: nil, address: ProbeRadio.peer.address,
      addressType: .random, payload: AdvertisingPayload(), rssi: -60)
    sources.withLock(\.last)?.give(Array(repeating: report, count: count))
  }

  /// The radio that was made last ends.
  func end(_ error: SourceError?) { sources.withLock(\.last)?.end(error) }

  final class Source: AdvertisementSource {
    private let tell: @Sendable (String) -> Void
    private let batches: AsyncThrowingStream<[AdvertisingReport], any Error>
    private let continuation: AsyncThrowingStream<[AdvertisingReport], any Error>.Continuation
    private let counted = Mutex(SourceCounters())

    init(_ tell: @escaping @Sendable (String) -> Void) {
      self.tell = tell
      (batches, continuation) = AsyncThrowingStream.makeStream()
    }

    var description: SourceDescription {
      SourceDescription(name: "probe", simulated: false, explanation: "a probe")
    }
    var states: AsyncStream<SourceState> { AsyncStream { $0.finish() } }
    var counters: SourceCounters { counted.withLock(\.self) }

    func start() async throws(SourceError) { tell("start") }

    func nextBatch() async throws(SourceError) -> [AdvertisingReport]? {
      var iterator = batches.makeAsyncIterator()
      do {
        return try await iterator.next()
      } catch let error as SourceError {
        throw error
      } catch {
        return nil
      }
    }

    func listen(_ rhythm: ScanRhythm) async {
      tell(rhythm == .paused ? "pause" : rhythm == .steady ? "resume" : "\(rhythm.share)")
    }

    func stop() async {
      tell("stop")
      continuation.finish()
    }

    func give(_ batch: [AdvertisingReport]) {
      counted.withLock {
        $0.packets += UInt64(batch.count)
        $0.reports += UInt64(batch.count)
      }
      continuation.yield(batch)
    }

    func end(_ error: SourceError?) { continuation.finish(throwing: error) }
  }

  private final class Client: GATTClient {
    private let tell: @Sendable (String) -> Void
    init(_ tell: @escaping @Sendable (String) -> Void) { self.tell = tell }
    func connect(
      to peer: GATTPeer, _ limits: GATTLimits, progress: @escaping @Sendable (String) -> Void
    ) async throws(GATTError) -> any GATTConnection {
      tell("connect")
      throw GATTError(.outOfRange, during: "connect", "nobody is here")
    }
    func close() async { tell("close") }
  }
}
