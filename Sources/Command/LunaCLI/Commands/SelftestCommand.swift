import CommandSpec
import Glibc
import LunaDocuments
import LunaJSON
import LunaShare
import LunaVectors
import UplinkProtocol

/// `luna selftest`: holds this build against vectors.
struct SelftestCommand: Sendable {
  var vectors: [String] = []
  var questions: String?
  var general = GeneralOptions()

  static let command = Command(
    "selftest", "Check this build's protocol and cryptography against test vectors.",
    discussion: [
      "Without options, the built-in vectors are checked. A line for each group says how "
        + "many cases passed; every failed case is named on standard error; the last line is "
        + "'N passed, N failed'."
    ],
    initial: SelftestCommand(),
    groups: [
      OptionGroup(
        "Options",
        [
          .repeated(
            "vectors", "FILE", "Check against FILE instead of the built-in vectors", \.vectors,
            .file),
          .value(
            "answer", "FILE",
            "Print what this build computes for the cases of FILE, as one JSON object", \.questions,
            .file),
        ], exclusive: [["vectors", "answer"]]),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna selftest", "Does this build work correctly?"),
      Example(
        "luna selftest --answer questions.json > answers.json", "For checking by another program"),
    ],
    exitStatuses: [.done, .notFound, .usage, .unreadableInput].map {
      (code: ExitCode) in ExitStatus(UInt8(code.rawValue), code.meaning)
    })

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      var machine = try VectorMachine(
        adding: UplinkVectors.functions.merging(ShareVectors.functions) { $1 })
      if let questions {
        let answers = machine.answers(to: try parse(try await InputFile.read(questions), questions))
        output.append(line: JSONValue.object(answers).description)
        return .done
      }
      return try await check(with: &machine, output)
    }
  }

  private func check(with machine: inout VectorMachine, _ output: OutputBuffer) async throws
    -> ExitCode
  {
    var files: [(name: String, bytes: [UInt8])] = []
    for name in vectors { files.append((name, try await InputFile.read(name))) }
    if files.isEmpty { files = BuiltInVectors.files + [BuiltInVectors.share] }
    var passed = 0
    var failed = 0
    for file in files {
      for group in machine.check(try parse(file.bytes, file.name)) {
        passed += group.passed
        failed += group.failures.count
        output.append(
          line: "\(group.name): \(group.passed) passed, \(group.failures.count) failed")
        for failure in group.failures {
          general.diagnostics.note("luna: \(file.name): \(failure.id): \(failure.problem)")
        }
      }
      try output.flush()
    }
    output.append(line: "\(passed) passed, \(failed) failed")
    return failed == 0 && passed > 0 ? .done : .notFound
  }

  private func parse(_ bytes: [UInt8], _ name: String) throws(CommandFailure) -> VectorFile {
    do throws(VectorError) {
      return try VectorFile(bytes)
    } catch {
      throw CommandFailure(
        .unreadableInput, "\(name) is not a vector file: \(error)",
        hint: "its format is that of luna-v1.json")
    }
  }
}
