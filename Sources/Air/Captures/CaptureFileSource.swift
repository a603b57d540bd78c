public import Bluetooth
import EventLoop
import Glibc
import Synchronization

/// A capture file as a source of advertisements: btsnoop, pcap or pcapng, from a file, a pipe or
/// standard input. Reports come as fast as they are asked for, or at the pace of the recording.
public final class CaptureFileSource: AdvertisementSource {
  /// Reports in a batch, at most a few more.
  static let batchCount = 1024

  private let path: String
  private let state: Mutex<CaptureFileState>
  private let wakeup: Wakeup
  private let blocking = Blocking(name: "luna.capture-file")

  /// What the source is doing: a file has nothing to recover from.
  public let states: AsyncStream<SourceState>
  private let statesContinuation: AsyncStream<SourceState>.Continuation

  /// A source that reads `path`.
  ///
  /// - Parameters:
  ///   - path: The file; `-` is standard input.
  ///   - realtime: Whether to hand out reports at the pace at which they were recorded.
  ///   - speed: With `realtime`, how many times faster; above 0.
  public init(path: String, realtime: Bool = false, speed: Double = 1) {
    self.path = path
    state = Mutex(CaptureFileState(pace: realtime ? Pace(speed: speed) : nil))
    wakeup = Wakeup()
    (states, statesContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// The file and its format.
  public var description: SourceDescription {
    let format = state.withLock { $0.decoder.format }
    let name = path == "-" ? "standard input" : path
    return SourceDescription(
      name: name, simulated: false,
      explanation: format.map { "reads \(name), \($0.name)" } ?? "reads \(name)")
  }

  /// What was seen so far.
  public var counters: SourceCounters { state.withLock { $0.decoder.counters } }

  /// The damage found so far.
  public var diagnostics: CaptureDiagnostics { state.withLock { $0.decoder.diagnostics } }

  /// Opens the file and reads its header.
  ///
  /// - Throws: ``SourceError`` of the kind `unreadable`, saying what the file seems to be.
  public func start() async throws(SourceError) {
    statesContinuation.yield(.starting)
    let path = path
    try state.withLock { (state) throws(SourceError) in try state.open(path) }
    while true {
      let ready = try state.withLock { (state) throws(SourceError) in try state.readHeader() }
      if ready { break }
      await waitForInput()
    }
    statesContinuation.yield(.scanning)
  }

  /// The next reports; nil at the end of the file and after ``stop()``.
  ///
  /// - Throws: ``SourceError`` of the kind `unreadable` when not one record could be read, `lost` when
  ///   somebody has cut the file meanwhile.
  public func nextBatch() async throws(SourceError) -> [AdvertisingReport]? {
    while true {
      let step = try state.withLock { (state) throws(SourceError) in try state.step() }
      switch step {
      case .batch(let reports): return reports
      case .waitForInput: await waitForInput()
      case .waitUntil(let moment): await wait(until: moment)
      case .end:
        statesContinuation.finish()
        return nil
      }
    }
  }

  /// Ends the reading; the file is closed.
  public func stop() async {
    state.withLock { $0.stop() }
    wakeup.raise()
    statesContinuation.finish()
  }

  private func waitForInput() async {
    let descriptor = state.withLock { $0.beginWaiting() }
    guard let descriptor else { return }
    await wait(descriptor, timeout: nil)
    state.withLock { $0.endWaiting() }
  }

  private func wait(until moment: ContinuousClock.Instant) async {
    let left = ContinuousClock.now.duration(to: moment)
    guard left >= .zero else { return }
    await wait(nil, timeout: Int32(clamping: left.wholeMilliseconds + 1))
  }

  private func wait(_ descriptor: Int32?, timeout: Int32?) async {
    await blocking.run { [wakeup] in wakeup.wait(orFor: descriptor, timeout: timeout) }
  }
}
