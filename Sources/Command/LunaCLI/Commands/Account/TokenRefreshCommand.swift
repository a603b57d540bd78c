import CommandSpec
import Glibc
import LunaAccount
import LunaCore
import LunaDocuments

/// `luna token refresh`: renews the tokens.
struct TokenRefreshCommand: Sendable {
  var isForced = false
  var server = ServerOptions()
  var account = AccountOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "refresh", "Renew the tokens where they are due.",
    discussion: [
      "Programs that use them do that by themselves. Of several that want to at once, one asks the issuer."
    ],
    initial: TokenRefreshCommand(),
    groups: [
      OptionGroup(
        "Options", [.flag("force", "Also where they are not due", \.isForced)])
    ] + AccountOptions.groups.map { $0.scoped(to: \.account) } + [
      ServerOptions.group.scoped(to: \.server), ZoneOptions.group.scoped(to: \.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna token refresh --force", "See whether it works")],
    exitStatuses: ExitCode.clientStatuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let account = try self.account.account(server)
      try await account.refresh(force: isForced)
      if let end = try await account.identity()?.expiresAt {
        general.diagnostics.note("luna: the token holds until \(zone.noted.moment(end))")
      }
      return .done
    }
  }
}
