import Bluetooth
import CommandSpec
import LunaCore
import LunaDocuments
import LunaHomeWeb

/// `luna home account edit`: what an account may do from now on.
struct HomeAccountEditCommand: Sendable {
  var name = ""
  var role: HomeRole?
  var trackers: [String]?
  var see: [String]?
  /// When it ends: nil where that stays, nil within for never.
  var until: GivenTime??
  var state = StateOption()
  var output = OutputOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "edit", "Change what an account may do: its role, its trackers, when that ends.",
    discussion: [
      "What is not given stays as it was. It holds at once: whoever it is has to sign in again. Trackers are for "
        + "guests, who see what a tracker does from when they got it; '' takes all away."
    ],
    initial: HomeAccountEditCommand(),
    arguments: [.required("NAME", "The account", \.name, HomeAccountCommand.nameReader)],
    groups: [
      OptionGroup(
        "Options",
        [
          .value("role", "ROLE", "What it may do", \.role, HomeAccountCommand.roleReader),
          .value(
            "trackers", "IDS", "All that they see and ring, with commas between", \.trackers,
            HomeAccountCommand.trackersReader),
          .value(
            "see", "IDS", "All that they only see", \.see, HomeAccountCommand.trackersReader),
          .value("until", "TIME|never", "Until when: 2026-12-24 18:00", \.until, endReader),
        ]), StateOption.group.scoped(to: \.state),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna home account edit bob --trackers keys --see bike,car", "What a guest may"),
      Example("luna home account edit bob --until '2026-12-24 18:00'", "Only until then"),
      Example("luna home account edit ada --role owner --until never", "Another owner, for good"),
    ],
    exitStatuses: HomeCommand.statuses,
    check: { options throws(ValueProblem) in
      guard
        options.role != nil || options.trackers != nil || options.see != nil
          || options.until != nil
      else {
        throw ValueProblem(
          "there is nothing to change: give --role, --trackers, --see or --until")
      }
    })

  private static var endReader: ValueReader<GivenTime?> {
    ValueReader(expects: "a time such as 2026-12-24 18:00, or never") {
      text throws(ValueProblem) in
      try text == "never" ? nil : ValueReader<GivenTime?>.time.read(text)
    }
  }

  func run() async -> ExitCode {
    await HomeAccountSession.run(state, output, general) { session in
      let end: Timestamp?? = try until.map { try zone.moment($0) }
      try await session.accounts.edit(
        name, role: role, trackers: trackers, see: see, until: end, at: .now)
      general.diagnostics.note("luna: \(name) has to sign in again")
    }
  }
}
