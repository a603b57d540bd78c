import Bluetooth
import CommandSpec
import Glibc
import LunaCore
import LunaDocuments
import LunaJSON
import LunaUplink
import SafeText
import UplinkProtocol

/// `luna uplink consent`: what may be sent, and whether somebody has agreed.
struct UplinkConsentCommand: Sendable {
  var accepts = false
  var withdraws = false
  var output = OutputOptions()
  var state = StateOption()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "consent", "Show what an uplink check sends, and agree to it or withdraw.",
    discussion: [
      "Before somebody has agreed, nothing is sent and no name looked up. A new version of the text asks "
        + "again. Without an option the text is shown; the exit code is 4 where nobody has agreed to it."
    ],
    initial: UplinkConsentCommand(),
    groups: [
      OptionGroup(
        "Options",
        [
          .flag("accept", "Agree to the text", \.accepts),
          .flag("withdraw", "Take the consent back: nothing is sent any more", \.withdraws),
        ], exclusive: [["accept", "withdraw"]]),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      StateOption.group.scoped(to: \.state), ZoneOptions.group.scoped(to: \.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna uplink consent", "The text, and whether you have agreed"),
      Example("luna uplink consent --accept", "Agree, where there is no terminal to ask on"),
    ],
    exitStatuses: ExitCode.uplinkStatuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let format = OutputFormat.chosen(self.output.format)
    return await CommandRun(output, general.diagnostics).run {
      let store = try UplinkConsent(in: try state.path())
      if withdraws { try await store.withdraw() }
      let consent = accepts ? try await store.give(.flag) : try await store.current()
      if format == .jsonl {
        var line: JSONObject = ["type": "consent", "given": .bool(consent != nil)]
        if let consent {
          line.members += consent.members.members
        } else {
          line.append("version", .integer(Int64(ConsentText.version)))
          line.append("sha256", .string(store.hash))
        }
        output.append(line: JSONValue.object(line).description)
      } else {
        if !accepts, !withdraws {
          for paragraph in ConsentText.paragraphs { output.append(line: paragraph) }
        }
        output.append(
          line: consent.map { "You agreed to version \($0.version) on \(time(of: $0))." }
            ?? "You have not agreed to this; luna uplink consent --accept does.")
      }
      return consent != nil || withdraws ? .done : .noPermission
    }
  }

  /// When it was given; what the file has in place of a time as it is.
  private func time(of consent: Consent) -> String {
    Timestamp(rfc3339: consent.time).map { zone.times.moment($0) } ?? EscapedText.line(consent.time)
  }
}
