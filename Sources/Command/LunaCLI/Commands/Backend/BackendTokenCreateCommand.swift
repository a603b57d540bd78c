import CommandSpec
import LunaBackend
import LunaCore
import LunaDocuments

/// `luna backend token create`: a new token, shown once.
struct BackendTokenCreateCommand: Sendable {
  var role = TokenRole.gateway
  var name = ""
  var rights: AccountRole?
  var file: String?
  var overwrites = false
  var output = OutputOptions()
  var store = BackendStoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "create", "Make a token, which is shown only once.",
    discussion: ["Only a digest of it is stored: a lost token has to be replaced."],
    initial: BackendTokenCreateCommand(),
    arguments: [
      .required("KIND", "gateway, owner or admin", \.role, .choice),
      .required(
        "NAME", "Whose it is: letters, digits, dots, hyphens and underscores", \.name, nameReader),
    ],
    groups: [
      OptionGroup(
        "Options",
        [
          .value(
            "role", "ROLE", "What a token of an admin may do: viewer, operator or admin", \.rights,
            .role
          ).defaulting(to: "viewer"),
          .value(
            "out", "FILE", "Write it to FILE, mode 0600, instead of showing it", \.file, .file),
          .flag("force", "Overwrite an existing file", \.overwrites),
        ]
      ),
      OutputOptions.group.scoped(to: \.output), BackendStoreOptions.group.scoped(to: \.store),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna backend token create gateway kitchen", "A token for a gateway"),
      Example("luna backend token create owner me --out token", "A token in a file"),
      Example("luna backend token create admin console --role operator", "A token that may change"),
    ],
    exitStatuses: ExitCode.statuses,
    check: { options throws(ValueProblem) in
      guard options.rights == nil || options.role == .admin else {
        throw ValueProblem("--role is for tokens of the kind admin")
      }
    })

  /// The name of a holder of tokens.
  static var nameReader: ValueReader<String> {
    ValueReader(expects: "1 to 64 letters, digits, dots, hyphens and underscores", hint: .text) {
      text throws(ValueProblem) in
      guard TokenRecord.isName(text) else { throw ValueProblem("is no name") }
      return text
    }
  }

  func run() async -> ExitCode {
    await BackendSession.run(store, output.format, general) { session in
      let token = try AccessToken(role)
      let record = try token.record(name: name, at: session.storage.now, rights: rights)
      if let file {
        try await write(token, record, to: file, session)
      } else {
        try await BackendTokenCommand.tokens(session).add(record)
      }
      switch session.format {
      case .jsonl:
        var writer = JSONFieldWriter("token", in: session.output)
        writer.string("id", record.id)
        writer.string("kind", role.rawValue)
        writer.string("name", name)
        if let rights = record.rights { writer.string("role", rights.rawValue) }
        if file == nil { writer.string("token", token.text) }
        writer.endLine()
      case .table, .csv:
        if file == nil { session.output.append(line: token.text) }
      }
      if file == nil {
        try await session.output.flush { try await revoke(record, session) }
      }
      session.diagnostics.note(
        "luna: \(role.rawValue) \(name) has the token \(record.id)"
          + (file.map { ", which is in \($0)" } ?? "; it is not shown again"))
      return .done
    }
  }

  /// The file takes its place when the token is good: until then an older one is.
  private func write(
    _ token: AccessToken, _ record: TokenRecord, to file: String, _ session: BackendSession
  ) async throws {
    let draft = try OutputFile.secretDraft(file, replacing: overwrites)
    try await BackendTokenCommand.tokens(session).add(record)
    do throws(CommandFailure) {
      try OutputFile.finish(draft, with: Array((token.text + "\n").utf8))
    } catch {
      try await revoke(record, session)
      throw error
    }
  }

  private func revoke(_ record: TokenRecord, _ session: BackendSession) async throws {
    _ = try await BackendTokenCommand.tokens(session)
      .revoke(token: record.id, at: session.storage.now)
  }
}
