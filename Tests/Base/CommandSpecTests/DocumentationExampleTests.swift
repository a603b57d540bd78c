import CommandSpec
import Testing

/// The example of the documentation of `Command`, so that it keeps compiling.
@Suite struct DocumentationExampleTests {
  struct CaptureOptions: Sendable {
    var file = ""
    var listen = ListenOptions()
    var general = GeneralOptions()
  }

  actor Log {
    var files: [String] = []
    func add(_ file: String) { files.append(file) }
  }

  @Test func runs() async throws {
    let log = Log()
    let capture = Command(
      "capture", "Write what is in the air to a file, without decoding it.",
      initial: CaptureOptions(),
      groups: [
        OptionGroup(
          "Options",
          [
            .value("write", short: "w", "FILE", "Write to this file", \.file, .file).required()
          ]),
        ListenOptions.group.scoped(to: \.listen),
        GeneralOptions.group.scoped(to: \.general),
      ],
      examples: [Example("luna capture -w air.pcapng -T 10s", "Ten seconds of air")]
    )

    typealias Action = @Sendable () async throws -> Void

    let luna = CommandNode<Action>(
      "luna", "A toolkit for Bluetooth LE trackers.", groups: [GeneralOptions.group.description],
      subcommands: [
        capture.node { options in { await log.add(options.file) } }
      ])

    #expect(luna.description.declarationProblems() == [])
    guard case .run(let match) = try luna.parse(["-v", "capture", "-w", "air.pcapng", "-T10s"])
    else {
      Issue.record("the command was not matched")
      return
    }
    let action = try match.resolve()
    try await action()
    #expect(await log.files == ["air.pcapng"])
  }
}
