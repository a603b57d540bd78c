import Bluetooth
import CommandSpec
import LunaCore
import LunaDocuments
import LunaHomeWeb
import WebAccess

/// `luna home account add`, `invite`: a new account, and the link with which its person makes a password.
struct HomeAccountAddCommand: Sendable {
  var name = ""
  var role = HomeRole.member
  var trackers: [String] = []
  var see: [String] = []
  var until: GivenTime?
  var state = StateOption()
  var output = OutputOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = make(
    "add", "Make an account, and a link with which its person makes a password.", role: .member,
    options: [
      .value("role", "ROLE", "What it may do", \.role, HomeAccountCommand.roleReader)
        .defaulting(to: "member")
    ], example: Example("luna home account add ada --role owner", "Who looks after all others"))

  static let invitation = make(
    "invite", "Invite a guest, who sees some trackers from now on, and rings some.", role: .guest,
    options: [
      .value(
        "trackers", "IDS", "Those that they see and ring, with commas between", \.trackers,
        HomeAccountCommand.trackersReader),
      .value("see", "IDS", "Those that they only see", \.see, HomeAccountCommand.trackersReader),
      .value("until", "TIME", "Until when: 2026-12-24 18:00, 18:00 (today)", \.until, .time),
    ], example: Example("luna home account invite bob --trackers keys --see bike", "These two"))

  private static func make(
    _ word: String, _ summary: String, role: HomeRole, options: [Option<HomeAccountAddCommand>],
    example: Example
  ) -> Command<HomeAccountAddCommand> {
    var initial = HomeAccountAddCommand()
    initial.role = role
    return Command(
      word, summary,
      discussion: ["The link is good once, for 72 hours. Only a digest of its secret is kept."],
      initial: initial,
      arguments: [
        .required("NAME", "What it is called", \.name, HomeAccountCommand.nameReader)
      ],
      groups: [
        OptionGroup("Options", options), StateOption.group.scoped(to: \.state),
        OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
        ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
      ], examples: [example], exitStatuses: HomeCommand.statuses)
  }

  func run() async -> ExitCode {
    await HomeAccountSession.run(state, output, general) { session in
      let secret = try await session.accounts.add(
        name, role, trackers: trackers, see: see, until: try zone.moment(until), at: .now)
      try await session.show("join", secret.text, name: name) {
        try await session.accounts.remove(name)
      }
    }
  }
}
