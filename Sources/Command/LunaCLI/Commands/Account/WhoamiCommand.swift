import CommandSpec
import Glibc
import LunaAccount
import LunaClient
import LunaDocuments
import LunaJSON

/// `luna whoami`: who is signed in.
struct WhoamiCommand: Sendable {
  var backend: String?
  var server = ServerOptions()
  var account = AccountOptions()
  var output = OutputOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "whoami", "Show who is signed in, until when, and where the credential is.",
    discussion: [
      "The role is what the backend says just now; without an answer of it within 3 s it is left out."
    ],
    initial: WhoamiCommand(),
    groups: [
      OptionGroup(
        "Options",
        [
          .value("backend", "URL", "Ask this backend for the role", \.backend, .text)
            .defaulting(to: "the issuer, if it is a backend").fromEnvironment("LUNA_BACKEND")
        ])
    ] + AccountOptions.groups.map { $0.scoped(to: \.account) } + [
      ServerOptions.group.scoped(to: \.server),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna whoami", "Who is signed in")],
    exitStatuses: ExitCode.clientStatuses)

  func run() async -> ExitCode {
    let buffer = OutputBuffer(descriptor: STDOUT_FILENO)
    let printer = AccountPrinter(
      buffer, OutputFormat.chosen(output.format), general.diagnostics)
    return await CommandRun(buffer, general.diagnostics).run {
      var configuration = try account.configuration(server.configuration)
      configuration.backend = backend
      configuration.client.totalTimeout = .seconds(3)
      let account = LunaAccount(clientID: AccountOptions.standardClient, configuration)
      guard let identity = try await account.identity() else {
        throw CommandFailure(.notFound, "nobody is signed in", hint: "luna login signs in")
      }
      printer.append(
        identity, profile: self.account.profile, path: account.path,
        role: await role(of: account, identity), zone.times)
      return .done
    }
  }

  /// What the backend lets them do.
  private func role(of account: LunaAccount, _ identity: Identity) async -> String? {
    let isBackend = identity.clientID == AccountOptions.standardClient
    guard var base = backend ?? (isBackend ? identity.issuer : nil) else { return nil }
    while base.hasSuffix("/") { base.removeLast() }
    do throws(AccountError) {
      let session = AuthorizedSession(mode: .accessToken, account: account)
      let answer = try await session.data(for: base + "/v1/session")
      guard answer.status == 200, let json = try? JSONReader.read(answer.body),
        case .object(let object) = json, case .string(let role)? = object["role"]
      else { return nil }
      return role
    } catch {
      general.diagnostics.detail("luna: the role is not known: \(error)")
      return nil
    }
  }
}
