package import Bluetooth
import Synchronization

/// Lets the lines about listening itself stand among those of a sink, although others tell them:
/// between two batches at once, during one when it is through.
///
/// A sink enters once a batch, so that a report costs no lock.
package final class ListeningGate: Sendable {
  /// The buffer is the sink's between `enter` and `leave`, and the gate's otherwise.
  private struct State: @unchecked Sendable {
    let output: OutputBuffer
    var isTaken = false
    var isClosed = false
    var waiting: [ListeningUpdate] = []
  }

  private let state: Mutex<State>
  private let adapter: @Sendable () -> String?
  /// Whether somebody waits for each line: not with a recording.
  package let isLive: Bool

  /// - Parameter adapter: what state lines name, when each is written.
  package init(
    _ output: OutputBuffer, adapter: @escaping @Sendable () -> String?, isLive: Bool
  ) {
    state = Mutex(State(output: output))
    self.adapter = adapter
    self.isLive = isLive
  }

  /// The sink writes from now on.
  package func enter() { state.withLock { $0.isTaken = true } }

  /// The sink has written what it had.
  package func leave(flushes: Bool) throws(OutputBuffer.WriteError) {
    try state.withLock { state throws(OutputBuffer.WriteError) in
      drain(&state)
      state.isTaken = false
      if flushes { try state.output.flush() }
    }
  }

  /// Tells what happened.
  package func tell(_ update: ListeningUpdate) {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.waiting.append(update)
      guard !state.isTaken else { return }
      drain(&state)
      // Who does not read any more will be noticed with the next batch.
      try? state.output.flush()
    }
  }

  /// Tells what happens from any thread: what a sink has as its `listeningDisplay`.
  package var display: @Sendable (ListeningUpdate) -> Void {
    { [self] in tell($0) }
  }

  /// Writes the last line.
  package func close(_ summary: ListenSummary) {
    state.withLock { state in
      drain(&state)
      state.isClosed = true
      ListeningLines.append(summary, to: state.output)
      try? state.output.flush()
    }
  }

  private func drain(_ state: inout State) {
    for update in state.waiting {
      ListeningLines.append(update, adapter: adapter(), to: state.output)
    }
    state.waiting = []
  }
}
