import CommandSpec
import Glibc
import LunaAccount
import LunaDocuments

/// `luna logout`: signs out.
struct LogoutCommand: Sendable {
  var keepsGrant = false
  var server = ServerOptions()
  var account = AccountOptions()
  var general = GeneralOptions()

  static let command = Command(
    "logout", "Sign out: here, and at the issuer.",
    discussion: [
      "The credential is removed whatever the issuer says; what is wrong there is told on standard error."
    ],
    initial: LogoutCommand(),
    groups: [
      OptionGroup(
        "Options",
        [.flag("keep-grant", "Do not tell the issuer that the sign-in is over", \.keepsGrant)])
    ] + AccountOptions.groups.map { $0.scoped(to: \.account) } + [
      ServerOptions.group.scoped(to: \.server), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna logout", "Sign out")],
    exitStatuses: ExitCode.clientStatuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let account = try self.account.account(server)
      let end = await account.end(revoke: !keepsGrant)
      if let problem = end.problem { general.diagnostics.warning("luna: \(problem)") }
      if let error = end.error { throw error }
      general.diagnostics.note("luna: nobody is signed in with the profile \(self.account.profile)")
      return .done
    }
  }
}
