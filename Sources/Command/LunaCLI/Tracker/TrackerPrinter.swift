import Bluetooth
import BlueZ
import Glibc
import LunaProtocol
import LunaTracker
import Synchronization

/// Prints what trackers do as JSON lines, each as it comes.
final class TrackerPrinter: Sendable {
  private struct State {
    var time = TimeText()
    var onClosedPipe: @Sendable () -> Void = {}
  }

  private let state = Mutex(State())

  /// Called when nobody reads any more.
  var onClosedPipe: @Sendable () -> Void {
    get { state.withLock { $0.onClosedPipe } }
    set { state.withLock { $0.onClosedPipe = newValue } }
  }

  /// The first line.
  func start(_ summary: AdvertiserSummary) {
    write { _, output in
      StartLine.append(source: summary.name, simulated: summary.simulated, to: output) { writer in
        guard !summary.deviations.isEmpty else { return }
        writer.beginList("deviations")
        for deviation in summary.deviations { writer.element(deviation) }
        writer.endList()
      }
    }
  }

  /// A line of news.
  func print(_ news: TrackerNews) {
    write { time, output in
      output.append("{")
      defer { output.append("}\n") }
      var writer = JSONFieldWriter(output, continuing: false)
      writer.string("type", news.event.name)
      writer.string("time", time.string(Timestamp(microseconds: news.time * 1000)))
      writer.string("tracker", news.tracker)
      writer.string("trackerTime", time.string(Timestamp(microseconds: news.clock * 1000)))
      switch news.event {
      case .started(let state, let isClockUncertain):
        writer.string("state", state.name)
        writer.boolean("clockUncertain", isClockUncertain)
      case .rotated(let advertisement):
        writer.integer("counter", Int64(advertisement.period))
        writer.address("address", advertisement.address)
        writer.string("eid", advertisement.eid.description)
        writer.string("heid", advertisement.heid.description)
      case .mode(let mode, let region):
        writer.string("mode", mode.rawValue)
        if let region { writer.integer("region", Int64(region)) }
      case .connectable(let isConnectable): writer.boolean("connectable", isConnectable)
      case .connected(let address):
        if let address { writer.address("address", address) }
      case .disconnected: break
      case .sound(let seconds), .light(let seconds):
        writer.boolean("on", seconds != nil)
        if let seconds { writer.integer("seconds", Int64(seconds)) }
      case .state(let state): writer.string("state", state.name)
      }
    }
  }

  private func write(_ body: (inout TimeText, OutputBuffer) -> Void) {
    let isClosed = state.withLock { state in
      let output = OutputBuffer(descriptor: STDOUT_FILENO)
      body(&state.time, output)
      do throws(OutputBuffer.WriteError) {
        try output.flush()
        return false
      } catch {
        return true
      }
    }
    if isClosed { onClosedPipe() }
  }
}

extension TrackerNews.Event {
  /// The type of its line.
  var name: StaticString {
    switch self {
    case .started: "tracker"
    case .rotated: "rotated"
    case .mode: "mode"
    case .connectable: "connectable"
    case .connected: "connected"
    case .disconnected: "disconnected"
    case .sound: "sound"
    case .light: "light"
    case .state: "state"
    }
  }
}
