import CommandSpec
import Glibc
import LunaDocuments
import LunaHome
import LunaJSON

/// `luna home do`: asks something of a tracker of the home that runs.
struct HomeDoCommand: Sendable {
  var tracker = ""
  var action = ""
  var value: String?
  var state = StateOption()
  var output = OutputOptions()
  var general = GeneralOptions()

  static let command = Command(
    "do", "Ask something of a tracker, by the home that runs.",
    discussion: [
      "ACTION is turn_on, turn_off, blink or ping of your own trackers, an action that the file gives to a "
        + "property, or set:PROPERTY with a VALUE, which is JSON or a text. A tracker that is not heard is "
        + "told by the backend, where there is one. Waits until it is known what came of it."
    ],
    initial: HomeDoCommand(),
    arguments: [
      .required("TRACKER", "Its id", \.tracker, .text),
      .required("ACTION", "What is to be done", \.action, .text),
      .optional("VALUE", "With what", \.value, .text),
    ],
    groups: [
      StateOption.group.scoped(to: \.state),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna home do keys turn_on", "Sound the keys"),
      Example("luna home do heating set:target 21.5", "Set a property"),
    ],
    exitStatuses: HomeCommand.runningStatuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let calls = try HomeCalls(state: try state.path())
      try await calls.subscribe(["tracker"])
      var members: JSONObject = ["tracker": .string(tracker), "action": .string(action)]
      if let value {
        members.append("value", (try? JSONReader.read(Array(value.utf8))) ?? .string(value))
      }
      guard case .object(var command) = try await calls.call("do", members) else {
        throw HomeCallError.unreadable
      }
      let id = command["id"]
      show(command, to: output)
      try output.flush()
      while !HomeDoCommand.isFinal(command) {
        let line = try await calls.next()
        guard case .object(let next)? = line["command"], next["id"] == id else { continue }
        // The beginning is told as well as answered.
        guard next["state"] != command["state"] || next["detail"] != command["detail"] else {
          continue
        }
        command = next
        show(command, to: output)
        try output.flush()
      }
      guard command["state"] == "done" else {
        throw CommandFailure(
          .notFound, "\(action) of \(tracker): \(HomeDoCommand.text(command, "detail"))")
      }
      return .done
    }
  }

  private static func isFinal(_ command: JSONObject) -> Bool {
    ["done", "failed", "expired", "interrupted"].contains(text(command, "state"))
  }

  private static func text(_ object: JSONObject, _ name: String) -> String {
    if case .string(let text)? = object[name] { text } else { "" }
  }

  private func show(_ command: JSONObject, to output: OutputBuffer) {
    if OutputFormat.chosen(self.output.format) == .jsonl {
      var line: JSONObject = ["type": "command"]
      for member in command.members { line.append(member.name, member.value) }
      output.append(line: JSONValue.object(line).description)
    } else {
      let detail = HomeDoCommand.text(command, "detail")
      output.append(
        line: HomeDoCommand.text(command, "state") + (detail.isEmpty ? "" : ": \(detail)"))
    }
  }
}
