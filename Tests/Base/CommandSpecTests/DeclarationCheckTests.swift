import CommandSpec
import Testing

@Suite struct DeclarationCheckTests {
  @Test func sampleIsSound() {
    #expect(SampleProgram.root.description.declarationProblems() == [])
  }

  @Test func everyMistakeIsNamed() {
    var command = CommandDescription("bad name", "No stop")
    command.groups = [
      OptionGroupDescription(
        "Options",
        [
          OptionDescription("twice", short: "h", "Help", form: .flag),
          OptionDescription("twice", "Help.", form: .flag),
          OptionDescription("two words", short: "-", "", form: .flag),
          OptionDescription(
            "pick", "Pick", form: .value(placeholder: "A", hint: .choices([Choice("a b")]))),
          OptionDescription(
            "there", "There", form: .value(placeholder: "A", hint: .entries(of: "/a b"))),
        ], exclusive: [["twice", "absent"]])
    ]
    command.arguments = [
      ArgumentDescription("A", "a", .repeated(atLeast: 0), hint: .text),
      ArgumentDescription("B", "", .required, hint: .text),
    ]
    command.subcommands = [CommandDescription("x", "X."), CommandDescription("x", "X.")]
    let problems = command.declarationProblems()
    let wanted = [
      "not a plain word", "full stop", "-h is declared twice", "--twice is declared twice",
      "--twice needs help", "--two words needs help", "--two words is not", "-- is neither",
      "'a b' is not", "'/a b' is not", "--absent excludes", "both arguments and subcommands",
      "A is repeated but not the last", "B is required but follows", "B needs help",
      "command x is declared twice",
    ]
    for text in wanted {
      #expect(problems.contains { $0.contains(text) }, "nothing says: \(text)")
    }
    // A word that may be missing can be told from the name of a command.
    command.arguments = [ArgumentDescription("A", "a", .optional, hint: .text)]
    #expect(!command.declarationProblems().contains { $0.contains("arguments and subcommands") })
    var empty = CommandDescription("empty", "Empty.")
    empty.isRunnable = false
    #expect(empty.declarationProblems() == ["empty: it can do nothing"])
  }
}
