import Bluetooth
import CommandSpec
import Glibc
import LunaClient
import LunaCore
import LunaDocuments
import LunaHome
import LunaNotify
import LunaStore
import SafeText

/// `luna notify test`: a message to a channel or a contact, at once.
struct NotifyTestCommand: Sendable {
  var name = ""
  var path: String?
  var output = OutputOptions()
  var state = StateOption()
  var general = GeneralOptions()

  static let command = Command(
    "test", "Send a test message, and show what is said meanwhile.",
    discussion: [
      "To a channel, or to a contact by all channels that reach them; quiet hours do not matter. "
        + "Every line that goes out (>) and comes in (<) is shown, with secrets masked. Needs no "
        + "home that runs. Exits with 9 when a message is not taken."
    ],
    initial: NotifyTestCommand(),
    arguments: [.required("NAME", "A channel or a contact of the file", \.name, .text)],
    groups: [
      OptionGroup(
        "Options",
        [
          .value("file", "FILE", "The home's file", \.path, .file)
            .defaulting(to: "$XDG_CONFIG_HOME/luna/home.json")
        ]),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      StateOption.group.scoped(to: \.state),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna notify test mail", "A channel"),
      Example("luna notify test me", "A contact, by every way there is"),
    ],
    exitStatuses: NotifyCommand.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let report = try await HomeReport(path, self.output.format, output, general.diagnostics)
      report.tellErrors()
      try report.requireUsable()
      let settings = HomeConfiguration.ofThisMachine(report.file).notifications
      guard settings.channel(name) != nil || settings.contact(name) != nil else {
        let all = settings.channels.map(\.id) + settings.contacts.map(\.id)
        throw CommandFailure(
          .notFound, "there is no channel or contact \(EscapedPath.text(name))",
          hint: all.isEmpty ? "the file declares none" : "there are \(all.joined(separator: ", "))")
      }
      let book = try await browsers()
      var code = ExitCode.done
      let tests = NotificationTest.all(of: name, settings)
      guard !tests.isEmpty else {
        throw CommandFailure(
          .notFound, "no channel reaches \(EscapedPath.text(name))",
          hint: "give them an address that a channel of the file is for")
      }
      for test in tests where !tell(await test.run(settings, book: book, at: .now), report) {
        code = .backend
      }
      return code
    }
  }

  /// The browsers that the home of the state directory tells; nil where there is none yet.
  private func browsers() async throws -> OutboxFile? {
    let path = "\(try state.path())/\(HomeStore.fileName)"
    return access(path, F_OK) == 0 ? try await OutboxFile.open(path: path) : nil
  }

  private func tell(_ result: NotificationTest.Result, _ report: HomeReport) -> Bool {
    let (channel, contact) = (result.channel, result.contact)
    let output = report.output
    for line in result.transcript {
      if report.format == .jsonl {
        output.appendLine("transcript") { writer in
          writer.string("channel", channel)
          if let contact { writer.string("contact", contact) }
          writer.string("text", line)
        }
      } else {
        output.append(line: line)
      }
    }
    let (isSent, isTemporary, reason) =
      switch result.outcome {
      case .delivered: (true, false, "")
      case .failed(let reason, _): (false, true, reason)
      case .refused(let reason), .gone(let reason): (false, false, reason)
      }
    if report.format == .jsonl {
      output.appendLine("notification") { writer in
        writer.string("time", Timestamp(microseconds: result.time).rfc3339)
        writer.string("channel", channel)
        if let contact { writer.string("contact", contact) }
        writer.string("firing", result.firing)
        writer.string("state", isSent ? "sent" : "failed")
        if !isSent {
          writer.boolean("temporary", isTemporary)
          writer.string("reason", reason)
        }
      }
    }
    let who = contact.map { " to \($0)" } ?? ""
    if isSent {
      general.diagnostics.note("luna: \(channel)\(who): sent")
    } else {
      let more = isTemporary ? "; a home tries it again" : "; a home would not try it again"
      general.diagnostics.warning("luna: \(channel)\(who): \(EscapedText.line(reason))\(more)")
    }
    return isSent
  }
}
