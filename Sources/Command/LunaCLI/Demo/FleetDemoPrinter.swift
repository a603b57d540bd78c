import Bluetooth
import LunaCore
import LunaDocuments
import Synchronization

/// Says where the simulated fleet is to be seen, and what happens in it.
final class FleetDemoPrinter: Sendable {
  typealias Fields = (inout JSONFieldWriter) -> Void

  /// The buffer is used by one caller at a time.
  private struct State: @unchecked Sendable {
    let output: OutputBuffer
    var gateways = 0
    /// What was told last.
    var last: String?
  }

  private let state: Mutex<State>
  private let isJSON: Bool
  private let layout: DemoText

  /// - Parameter width: how wide a line for people may be; nil where that does not matter.
  init(_ output: OutputBuffer, isJSON: Bool, width: Int? = nil) {
    state = Mutex(State(output: output))
    self.isJSON = isJSON
    layout = DemoText(width: width)
  }

  /// How far it is, in words.
  var statistics: String {
    state.withLock { state in
      "\(state.gateways) simulated gateways report" + (state.last.map { "; last: \($0)" } ?? "")
    }
  }

  /// The beginning.
  ///
  /// - Parameters:
  ///   - link: with which the first account is made. What it opens is gone with the demonstration.
  ///   - label: of the gateway that is not there yet.
  func begin(
    url: String, link: String, gateways: Int, label: String
  ) throws(OutputBuffer.WriteError) {
    state.withLock { $0.gateways = gateways }
    try write { [isJSON, layout] output in
      guard isJSON else {
        // What is to be copied is never broken.
        var lines = layout.paragraph(
          "\(gateways) simulated gateways report to a backend on this machine. Open this link in a "
            + "browser on it, and make an account; all of it is gone at the end:")
        lines += ["", "  \(link)", ""]
        lines += layout.paragraph(
          "One more gateway waits for its label to be scanned. Under Add, paste this line:")
        lines += ["", "  \(label)", "", "Ctrl-C ends it."]
        for line in lines { output.append(line: line) }
        return
      }
      StartLine.append(source: "fleet", simulated: true, to: output)
      var writer = JSONFieldWriter("console", in: output)
      writer.string("url", url)
      writer.string("link", link)
      writer.integer("gateways", Int64(gateways))
      writer.string("label", label)
      writer.endLine()
    }
  }

  /// Something that happens in it.
  func tell(
    _ type: StaticString, _ text: String, _ fields: @escaping Fields = { _ in }
  ) throws(OutputBuffer.WriteError) {
    state.withLock { $0.last = text }
    try write { [isJSON, layout] output in
      guard isJSON else {
        for line in layout.lines(text) { output.append(line: line) }
        return
      }
      var writer = JSONFieldWriter(type, in: output)
      writer.string("time", Timestamp.now.rfc3339)
      fields(&writer)
      writer.string("text", text)
      writer.endLine()
    }
  }

  private func write(_ body: (OutputBuffer) -> Void) throws(OutputBuffer.WriteError) {
    try state.withLock { state throws(OutputBuffer.WriteError) in
      body(state.output)
      try state.output.flush()
    }
  }
}
