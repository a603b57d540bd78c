import Bluetooth
import Glibc
import LunaDocuments
import LunaTracker
import Synchronization

/// Prints what trackers do as JSON lines, each as it comes.
final class TrackerPrinter: Sendable {
  private struct State {
    var time = TimeText()
    var tally = TrackerTally()
    var onClosedPipe: @Sendable () -> Void = {}
  }

  private let state = Mutex(State())

  /// Called when nobody reads any more.
  var onClosedPipe: @Sendable () -> Void {
    get { state.withLock { $0.onClosedPipe } }
    set { state.withLock { $0.onClosedPipe = newValue } }
  }

  /// What the trackers have done so far, in words.
  var statistics: String { state.withLock { $0.tally.text } }

  /// The first line.
  func start(_ summary: AdvertiserSummary) {
    write { _, output in TrackerDocument.appendStart(summary, to: output) }
  }

  /// A line of news.
  func print(_ news: TrackerNews) {
    state.withLock { $0.tally.take(news) }
    write { time, output in TrackerDocument.append(news, &time, to: output) }
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
