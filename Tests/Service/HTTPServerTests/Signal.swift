import Synchronization

/// Something that happens once, or a number of times.
final class Signal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func fire() { continuation.yield() }

  /// Waits until it has happened so many times, not counting those that were waited for before.
  func wait(times: Int = 1) async {
    var left = times
    for await _ in stream {
      left -= 1
      if left == 0 { return }
    }
  }
}
