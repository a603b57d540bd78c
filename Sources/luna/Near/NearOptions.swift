import CommandSpec

/// Options of commands about a tracker nearby.
struct NearOptions: Sendable {
  var output = OutputOptions()
  var connect = ConnectOptions()
  var duration: Duration?
  var store = StoreOptions()
  var general = GeneralOptions()

  static var groups: [OptionGroup<NearOptions>] {
    [
      OptionGroup(
        "How long",
        [
          .value(
            "duration", short: "T", "TIME", "Give up after TIME (30s, 5m)", \.duration, .duration
          ).defaulting(to: "150s")
        ]), OutputOptions.group.scoped(to: \.output), ConnectOptions.group.scoped(to: \.connect),
      ClockOptions.group.scoped(to: \.connect.clock), StoreOptions.group.scoped(to: \.store),
      GeneralOptions.group.scoped(to: \.general),
    ]
  }

  /// Refuses what makes no sense.
  func check() throws(ValueProblem) {
    try connect.clock.check()
    guard output.format != .csv else { throw ValueProblem("--format csv is not for this command") }
  }

  /// The form of standard output.
  var format: OutputFormat { OwnerSession.format(output.format) }
}
