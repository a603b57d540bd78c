import CommandSpec
import LunaAccount
import LunaClient
import LunaJSON
import LunaStore

/// Whose credential it is, and where it is kept.
struct AccountOptions: Sendable {
  static let standardProfile = "default"
  /// As what this program is known where nothing else is said.
  static let standardClient = "luna"

  var profile = AccountOptions.standardProfile
  var refusal = AccountConfiguration.Refusal.lenient
  var state = StateOption()

  static var groups: [OptionGroup<AccountOptions>] {
    [
      OptionGroup(
        "Account",
        [
          .value(
            "profile", "NAME", "Which of several sign-ins", \.profile, profileReader
          ).defaulting(to: standardProfile).fromEnvironment("LUNA_PROFILE"),
          .value(
            refusalName, "RULE", "When it is over without luna logout", \.refusal, refusalReader
          ).defaulting(to: "lenient").fromEnvironment("LUNA_ACCOUNT_REFUSAL"),
        ]), StateOption.group.scoped(to: \.state),
    ]
  }

  static let refusalName = "account-refusal"

  /// Which refusals of the issuer end a sign-in.
  static let refusalReader = ValueReader<AccountConfiguration.Refusal>.choice([
    (Choice("lenient", "when the issuer has ended it"), .lenient),
    (Choice("strict", "at every answer to a renewal but a good one"), .strict),
  ])

  /// The name of a sign-in.
  static var profileReader: ValueReader<String> {
    ValueReader(expects: "1 to 64 letters, digits, - and _", hint: .text) {
      text throws(ValueProblem) in
      guard JSONMembers.isWord(text), text.utf8.count <= 64 else {
        throw ValueProblem("is no name of a profile")
      }
      return text
    }
  }

  /// The account of these options, as what this program is known.
  func account(_ server: ServerOptions) throws -> LunaAccount {
    LunaAccount(
      clientID: AccountOptions.standardClient, try configuration(server.configuration))
  }

  /// What an account of these options has.
  ///
  /// - Parameter client: how servers are reached.
  func configuration(_ client: ClientConfiguration? = nil) throws -> AccountConfiguration {
    var configuration = AccountConfiguration()
    configuration.profile = profile
    configuration.refusal = refusal
    configuration.state = StateDirectory(path: try state.path())
    configuration.client = client ?? ClientOptions().configuration(url: "")
    return configuration
  }
}
