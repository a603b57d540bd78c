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
    /// What was told last.
    var last = "it begins"
    /// Why nothing can be written any more.
    var failure: OutputBuffer.WriteError?
  }

  private let state: Mutex<State>
  private let isJSON: Bool
  private let isColored: Bool
  private let clock: DemoClock
  private let times: ClockText
  private let layout: DemoText

  /// - Parameters:
  ///   - times: how times are shown to people.
  ///   - width: how wide a line for them may be; nil where that does not matter.
  init(
    _ output: OutputBuffer, isJSON: Bool, isColored: Bool, clock: DemoClock,
    times: ClockText = ClockText(UTCZone()), width: Int? = nil
  ) {
    state = Mutex(State(output: output))
    self.isJSON = isJSON
    self.isColored = isColored
    self.clock = clock
    self.times = times
    layout = DemoText(width: width)
  }

  /// How far it is, in words.
  var statistics: String { state.withLock { "step \($0.step): \($0.last)" } }

  /// The beginning.
  func begin(source: String) throws(OutputBuffer.WriteError) {
    try write { [isJSON, clock, times, layout] state in
      let output = state.output
      guard isJSON else {
        let text =
          "Everything here is Luna as it is; made up are the air and the time: the radio is "
          + "simulated, and a minute lasts \(DemoPrinter.seconds(60, clock)) s. "
          + "Times are \(times.zoneName); it is \(times.time(clock.start).prefix(5)) there."
        for line in layout.paragraph(text) { output.append(line: line) }
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
    try write { [isJSON, isColored, layout] state in
      state.step += 1
      state.last = text
      guard !isJSON else {
        return line("step", text, &state) { $0.string("name", name) }
      }
      state.output.append("\n")
      for line in layout.lines(text, after: "\(state.step)  ") {
        if isColored { state.output.append("\u{1B}[1m") }
        state.output.append(text: line)
        if isColored { state.output.append("\u{1B}[0m") }
        state.output.append("\n")
      }
    }
  }

  /// Something that happens in it.
  func tell(
    _ type: StaticString, _ text: String, _ fields: @escaping Fields = { _ in }
  ) throws(OutputBuffer.WriteError) {
    try write { state in
      state.last = text
      line(type, text, &state, fields)
    }
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
    let (output, time) = (state.output, clock.time)
    guard isJSON else {
      for line in layout.lines(text, after: "   \(times.time(time).prefix(5))  ") {
        output.append(line: line)
      }
      return
    }
    var writer = JSONFieldWriter(type, in: output)
    writer.integer("step", state.step)
    writer.string("time", time.rfc3339)
    fields(&writer)
    writer.string("text", text)
    writer.endLine()
  }
}
