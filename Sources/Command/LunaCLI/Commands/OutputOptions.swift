import CommandSpec

/// The form of standard output, for commands that print lines.
struct OutputOptions: Sendable {
  var format: OutputFormat?

  static var group: OptionGroup<OutputOptions> { group(of: OutputFormat.allCases) }

  /// - Parameter forms: those that the command has.
  static func group(of forms: [OutputFormat]) -> OptionGroup<OutputOptions> {
    OptionGroup("Output", [OutputFormat.option(\.format, of: forms)])
  }
}
