import CommandSpec

/// The form of standard output, for commands that print lines.
struct OutputOptions: Sendable {
  var format: OutputFormat?

  static var group: OptionGroup<OutputOptions> {
    OptionGroup(
      "Output",
      [
        .value("format", "FORMAT", "table, jsonl or csv", \.format, OutputFormat.reader)
          .defaulting(to: "table on a terminal, else jsonl")
      ])
  }
}
