import Synchronization

/// Tells the story: a line for each thing that happens.
final class DemoPrinter: Sendable {
  /// The buffer is used by one caller at a time.
  private struct State: @unchecked Sendable {
    let output: OutputBuffer
    var step = 0
  }

  private let state: Mutex<State>
  private let isJSON: Bool

  init(_ output: OutputBuffer, isJSON: Bool) {
    state = Mutex(State(output: output))
    self.isJSON = isJSON
  }

  /// Another chapter.
  func step(_ text: String) { line("step", text) { $0.step += 1 } }

  /// Something that happens in it.
  func tell(_ text: String) { line("note", text) { _ in } }

  private func line(_ type: StaticString, _ text: String, _ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      let output = state.output
      if isJSON {
        output.append("{\"type\":\"")
        output.append(type)
        output.append("\"")
        var writer = JSONFieldWriter(output, continuing: true)
        writer.integer("step", Int64(state.step))
        writer.string("text", text)
        output.append("}\n")
      } else if type.utf8CodeUnitCount == 4, type.description == "step" {
        output.append("\n\(state.step). \(text)\n")
      } else {
        output.append("   \(text)\n")
      }
      // Nobody reads any more: the story goes on without listeners.
      try? output.flush()
    }
  }
}
