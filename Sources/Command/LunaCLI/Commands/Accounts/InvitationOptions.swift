import CommandSpec
import HTTPServer
import LunaBackend
import LunaCore
import LunaDocuments

/// Where an invitation leads.
struct InvitationOptions: Sendable {
  /// Where a backend listens unless it is told otherwise.
  private static let usual = PublicURL(isSecure: false, host: "127.0.0.1", port: 8080)

  var publicURL: PublicURL?

  static var option: Option<InvitationOptions> {
    .value(
      "public-url", "URL", "Where browsers find the backend", \.publicURL,
      BackendServerOptions.publicURLReader
    ).defaulting(to: "where the backend was found last")
  }

  /// Prints a link, which nobody can look up again.
  ///
  /// - Parameters:
  ///   - times: how they are shown on standard error.
  ///   - takeBack: has it be good no more, where it could not be printed.
  func show(
    _ link: AccountLink, for name: String, _ session: BackendSession, _ times: ShownTimes,
    orElse takeBack: () async throws -> Void
  ) async throws {
    let known = try await AccountStore(session.storage).knownPublicURL()
    let text = link.text(publicURL ?? known ?? Self.usual)
    switch session.format {
    case .jsonl:
      var writer = JSONFieldWriter("invitation", in: session.output)
      writer.string("account", name)
      writer.string("link", text)
      writer.string("expiresAt", link.expiresAt.rfc3339)
      writer.endLine()
    case .table, .csv: session.output.append(line: text)
    }
    try await session.output.flush(orElse: takeBack)
    session.diagnostics.note(
      "luna: with this link \(name) makes a password, once, until \(times.moment(link.expiresAt))")
  }
}
