import CommandSpec
import Glibc
import LunaBackend
import LunaOnboarder

/// `luna demo`: the whole story on one machine.
struct DemoCommand: Sendable {
  var format: FinderFormat?
  var picture: String?
  var kept: String?
  var general = GeneralOptions()

  static let command = Command(
    "demo", "Show the whole story on one machine, with no adapter and no network.",
    discussion: [
      "Two trackers in software are onboarded in a simulated room; a gateway is carried around and "
        + "reports them to a backend on loopback; the backend fails and comes back; the owner lets a "
        + "tracker ring through the gateway and verifies its receipt; and at last the owner opens "
        + "all reports and draws a map. It takes two or three minutes of real time, and uses nothing "
        + "of yours."
    ],
    initial: DemoCommand(),
    groups: [
      OptionGroup(
        "Options",
        [
          .value("picture", "FILE", "Draw the map to FILE (SVG)", \.picture, .file)
            .defaulting(to: "luna-demo.svg"),
          .value("keep", "DIR", "Keep everything in DIR, to look at", \.kept, .directory),
          .value("format", "FORMAT", "text or jsonl", \.format, FinderFormat.reader)
            .defaulting(to: "text on a terminal, else jsonl"),
        ]), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna demo", "From the box to the map"),
      Example("luna demo --keep /tmp/demo", "And look at the files afterwards"),
    ],
    exitStatuses: ExitCode.clientStatuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let format = format ?? (isatty(STDOUT_FILENO) == 1 ? .text : .jsonl)
    return await CommandRun(
      output, format: format == .jsonl ? .jsonl : .table, general.diagnostics
    ).run {
      do {
        try await DemoStory(
          place: try DemoPlace(keeping: kept),
          printer: DemoPrinter(output, isJSON: format == .jsonl),
          picture: picture ?? "luna-demo.svg"
        ).run()
        return .done
      } catch let error as OnboardingError {
        throw CommandFailure(error)
      } catch {
        throw CommandFailure(backend: error) ?? error
      }
    }
  }
}
