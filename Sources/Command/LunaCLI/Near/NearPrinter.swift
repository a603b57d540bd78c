import Bluetooth
import Glibc
import LunaBuzzer
import LunaCore
import LunaDocuments
import LunaLocal
import LunaProtocol
import Synchronization

/// Prints what becomes of a command to a tracker: a JSON line each, or a sentence for a person.
final class NearPrinter: Sendable {
  let format: OutputFormat
  let diagnostics: Diagnostics
  private let time = Mutex(TimeText())

  init(format: OutputFormat, _ diagnostics: Diagnostics) {
    self.format = format
    self.diagnostics = diagnostics
  }

  /// The first line.
  func start(_ description: SourceDescription) {
    guard format == .jsonl else { return }
    write { StartLine.append(description, to: $0) }
  }

  /// A line about a tracker.
  ///
  /// - Parameters:
  ///   - text: for a person; nil when it is only told with `-v`, by somebody else.
  ///   - fields: what follows the type, the event, the time and the tracker.
  func line(
    _ type: StaticString, _ event: StaticString, _ target: TrackerTarget, _ text: String?,
    _ fields: (inout JSONFieldWriter, (Timestamp) -> String) -> Void = { _, _ in }
  ) {
    guard format == .jsonl else {
      guard let text else { return }
      write { output in
        for line in MessageLines.lines(text, on: STDOUT_FILENO) { output.append(line: line) }
      }
      return
    }
    write { output in
      var writer = JSONFieldWriter(type, in: output)
      writer.string("event", event)
      let text = { (time: Timestamp) in self.time.withLock { $0.string(time) } }
      writer.string("time", text(.now))
      switch target {
      case .device(let device):
        writer.string("device", device.uuid.description.uppercased())
        writer.string("name", device.name)
      case .address(let address): writer.address("address", address)
      }
      fields(&writer, text)
      writer.endLine()
    }
  }

  /// How far a command has come.
  func progress(_ type: StaticString, _ target: TrackerTarget, _ step: BuzzerProgress) {
    switch step {
    case .waiting:
      line(type, "waiting", target, nil)
      diagnostics.note("luna: " + ControlText.text(step, of: target.label))
    case .connecting(let peer, let attempt):
      line(type, "connecting", target, nil) { writer, _ in
        if case .device = target { writer.address("address", peer.address) }
        writer.integer("attempt", Int64(attempt))
      }
      diagnostics.detail("luna: " + ControlText.text(step, of: target.label))
    case .connected, .sent, .retrying, .detail:
      diagnostics.detail("luna: " + ControlText.text(step, of: target.label))
    }
  }

  /// How long it took until a tracker sounds.
  func sounds(after elapsed: Duration) {
    let seconds = DecimalText.text(Int64(elapsed / .milliseconds(1)), digits: 3)
    diagnostics.detail("luna: \(seconds) s from start to sound")
  }

  /// A tracker did not obey; the error itself is told by who ends with it.
  func failed(_ type: StaticString, _ target: TrackerTarget, _ error: BuzzerError) {
    line(type, "failed", target, nil) { writer, _ in
      ControlDocument.write(error, to: &writer)
    }
  }

  private func write(_ body: (OutputBuffer) -> Void) {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    body(output)
    // A reader that has gone is noticed when the command ends.
    try? output.flush()
  }
}
