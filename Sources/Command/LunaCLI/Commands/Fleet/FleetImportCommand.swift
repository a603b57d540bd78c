import CommandSpec
import Diagnosis
import LunaFleet
import LunaJSON
import SafeText

/// `luna fleet import`: many records at once.
struct FleetImportCommand: Sendable {
  var file = ""
  var isDry = false
  var fleet = FleetOptions()

  static let command = Command(
    "import", "Make records of a file, all of them or none.",
    discussion: [
      "The file has JSON lines, or CSV with a line of names: name, site, tags (parted by blanks), "
        + "latitude, longitude, place, manufacturer, note. At most 1,000 at once. What is wrong is told "
        + "with its line. A gateway gets its token with luna fleet enroll --record."
    ],
    initial: FleetImportCommand(),
    arguments: [.required("FILE", "The file; - is standard input", \.file, .file)],
    groups: [
      OptionGroup("What to do", [.flag("dry-run", "Only say whether it could be done", \.isDry)])
    ] + FleetOptions.groups().map { $0.scoped(to: \.fleet) },
    examples: [Example("luna fleet import --dry-run fleet.csv", "Is it right?")],
    exitStatuses: ExitCode.clientStatuses)

  func run() async -> ExitCode {
    await FleetSession.run(fleet) { session in
      let bytes = try await InputFile.read(file)
      let lines = try read(bytes, session)
      guard !lines.isEmpty else {
        throw CommandFailure(.unreadableInput, "there is no gateway in the file")
      }
      var body: JSONObject = ["lines": .array(lines.map { .object($0.fields) })]
      if isDry { body.append("dryRun", true) }
      let reply = try await session.ask(
        "POST", "/v1/gateways/import", .object(body), lines: lines.map(\.line))
      let count = FleetText.of(reply["count"])
      session.tell(reply, isDry ? "\(count) records could be made" : "\(count) records are made")
      return .done
    }
  }

  /// The lines of the file, all of them right.
  private func read(
    _ bytes: [UInt8], _ session: FleetSession
  ) throws(CommandFailure) -> [GatewayLine] {
    do throws(FieldErrors) {
      let lines = try GatewayFile.read(bytes)
      var errors: [FleetError] = []
      for line in lines {
        do throws(FieldErrors) {
          _ = try line.edit()
        } catch { errors += error.errors }
      }
      guard errors.isEmpty else { throw FieldErrors(errors) }
      return lines
    } catch {
      for one in error.errors.dropLast() { session.diagnostics.note("luna: \(text(one))") }
      throw CommandFailure(
        .unreadableInput, error.errors.last.map(text) ?? "the file is wrong",
        hint: "nothing was imported")
    }
  }

  private func text(_ error: FleetError) -> String {
    (error.position.map { "line \($0): " } ?? "") + error.reason
  }
}
