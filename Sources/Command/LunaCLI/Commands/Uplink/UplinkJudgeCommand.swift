import CommandSpec
import Diagnosis
import Glibc
import LunaDocuments
import LunaJSON
import LunaUplink
import UplinkProtocol

/// `luna uplink results judge`: what a rule of Wehe's says of two replays.
struct UplinkJudgeCommand: Sendable {
  var original = ""
  var control = ""
  var rule = OriginalRule.ios
  var single: String?
  var variations: String?
  var output = OutputOptions()
  var general = GeneralOptions()

  static let command = Command(
    "judge", "Judge the samples of two replays by a rule of Wehe's programs.",
    discussion: [
      "A file holds [[Mbit/s,...],[seconds,...]], as a client sends it; the last sample is not counted, "
        + "as on a server. The rules: ios is that of the app for iPhones, java that of the client in "
        + "Java, and server the old one of the server. The exit code is 0 for every verdict.",
      "The halves of the samples that one of the rules asks for are drawn with a fixed seed: the same "
        + "files are judged alike.",
      "With --single and --variations the two files are those of originals with two servers at once: it is said "
        + "whether both together are as fast as the one alone, by the test of Wehe's localization.",
    ],
    initial: UplinkJudgeCommand(),
    arguments: [
      .required("ORIGINAL", "The samples of the original; - is standard input", \.original, .file),
      .required("CONTROL", "The samples of the control", \.control, .file),
    ],
    groups: [
      OptionGroup(
        "Rule",
        [
          .value("rule", "RULE", "ios, java or server", \.rule, .choice).defaulting(to: "ios"),
          .value(
            "single", "FILE", "The samples of the original with one server alone", \.single, .file),
          .value(
            "variations", "FILE", "What replays usually differ by, [PERCENT,...]", \.variations,
            .file),
        ]),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna uplink results judge original.json control.json", "By the rule of the app"),
      Example(
        "luna uplink results judge original.json control.json --rule server",
        "By that of the server, for a program"),
    ],
    exitStatuses: ExitCode.uplinkStatuses,
    check: { options throws(ValueProblem) in
      guard (options.single == nil) == (options.variations == nil) else {
        throw ValueProblem(
          "--single and --variations belong together", remedy: "give both, or neither of them")
      }
    })

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let format = OutputFormat.chosen(self.output.format)
    return await CommandRun(output, general.diagnostics).run {
      let samples = try await ReplayFile.readSide(original)
      let other = try await ReplayFile.readSide(control)
      if let single, let variations {
        try await judge([samples, other], single, variations, format, output)
        return .done
      }
      let judgement = try UplinkSamples.judge(samples, other, rule)
      if format == .jsonl {
        var line: JSONObject = ["type": "judgement", "rule": .string(rule.rawValue)]
        for member in judgement.members.members { line.append(member.name, member.value) }
        output.append(line: JSONValue.object(line).description)
      } else {
        for line in judgement.lines { output.append(line: line) }
      }
      return .done
    }
  }

  /// Says whether two replays at once are as fast together as one alone.
  private func judge(
    _ both: [ReplaySamples], _ single: String, _ variations: String, _ format: OutputFormat,
    _ output: OutputBuffer
  ) async throws {
    let alone = try await ReplayFile.readSide(single)
    let usual = try await UsualVariations.read(variations)
    let variation: ThroughputVariation
    do throws(StatisticsError) {
      variation = try ThroughputVariation(
        single: alone.held, first: both[0].held, second: both[1].held, variations: usual)
    } catch {
      throw CommandFailure(
        .unreadableInput, error.reason, hint: "check the samples that the files hold")
    }
    let place = variation.isCommon ? Location.common : Location.noEvidence
    guard format == .jsonl else {
      return output.append(line: "\(place.rawValue), p \(variation.test.p)")
    }
    let line: JSONObject = [
      "type": "judgement", "rule": "locate", "mwu": .real(variation.test.statistic),
      "mwuP": .real(variation.test.p), "located": .string(place.rawValue),
    ]
    output.append(line: JSONValue.object(line).description)
  }
}
