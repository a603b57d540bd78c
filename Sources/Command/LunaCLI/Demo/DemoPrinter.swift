import Bluetooth
import LunaCore
import LunaDocuments
import Synchronization

/// Tells the story: a line for each thing that happens.
final class DemoPrinter: Sendable {
  typealias Fields = (inout JSONFieldWriter) -> Void

  /// The buffer is used by one caller at a time.
  private struct State: @unchecked Sendable {
    let output: OutputBuffer
    var step: Int64 = 0
    /// Why nothing can be written any more.
    var failure: OutputBuffer.WriteError?
  }

  private let state: Mutex<State>
  private let isJSON: Bool
  private let isColored: Bool
  private let clock: DemoClock

  init(_ output: OutputBuffer, isJSON: Bool, isColored: Bool, clock: DemoClock) {
    state = Mutex(State(output: output))
    self.isJSON = isJSON
    self.isColored = isColored
    self.clock = clock
  }

  /// The beginning.
  func begin(source: String) throws(OutputBuffer.WriteError) {
    try write { [isJSON, clock] state in
      let output = state.output
      guard isJSON else {
        output.append(
          document: """
            Everything here is Luna as it is; made up are the air and the time: the radio is simulated,
            and a minute lasts \(DemoPrinter.seconds(60, clock)) s. It is \
            \(clock.start.rfc3339.dropFirst(11).prefix(5)) UTC there.

            """)
        return
      }
      StartLine.append(source: source, simulated: true, to: output) { writer in
        writer.integer("speed", Int64(clock.speed))
        writer.string("time", clock.start.rfc3339)
      }
    }
  }

  /// Real seconds that so many of the demonstration take.
  private static func seconds(_ seconds: Int64, _ clock: DemoClock) -> String {
    seconds % Int64(clock.speed) == 0
      ? "\(seconds / Int64(clock.speed))"
      : DecimalText.text(seconds * 10 / Int64(clock.speed), digits: 1)
  }

  /// Another chapter.
  func step(_ name: StaticString, _ text: String) throws(OutputBuffer.WriteError) {
    try write { [isJSON, isColored] state in
      state.step += 1
      guard !isJSON else {
        return line("step", text, &state) { $0.string("name", name) }
      }
      state.output.append("\n")
      if isColored { state.output.append("\u{1B}[1m") }
      state.output.append(text: "\(state.step)  \(text)")
      if isColored { state.output.append("\u{1B}[0m") }
      state.output.append("\n")
    }
  }

  /// Something that happens in it.
  func tell(
    _ type: StaticString, _ text: String, _ fields: @escaping Fields = { _ in }
  ) throws(OutputBuffer.WriteError) {
    try write { state in line(type, text, &state, fields) }
  }

  /// The same from somewhere that cannot end the story; the next ``tell(_:_:_:)`` throws.
  func aside(_ type: StaticString, _ text: String, _ fields: @escaping Fields = { _ in }) {
    try? tell(type, text, fields)
  }

  private func write(_ body: (inout State) -> Void) throws(OutputBuffer.WriteError) {
    try state.withLock { state throws(OutputBuffer.WriteError) in
      if let failure = state.failure { throw failure }
      body(&state)
      do throws(OutputBuffer.WriteError) {
        try state.output.flush()
      } catch {
        state.failure = error
        throw error
      }
    }
  }

  private func line(
    _ type: StaticString, _ text: String, _ state: inout State, _ fields: Fields
  ) {
    let (output, time) = (state.output, clock.time.rfc3339)
    guard isJSON else {
      output.append(line: "   \(time.dropFirst(11).prefix(5))  \(text)")
      return
    }
    var writer = JSONFieldWriter(type, in: output)
    writer.integer("step", state.step)
    writer.string("time", time)
    fields(&writer)
    writer.string("text", text)
    writer.endLine()
  }
}
