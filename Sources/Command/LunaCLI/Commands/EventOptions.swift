import CommandSpec
import Diagnosis
import LunaClient
import LunaCore

/// Options of commands that run a program, or tell a server, for each event.
struct EventOptions: Sendable {
  var command: String?
  var commandKinds: [String]?
  /// Not read where others are: what is wrong with it could show what keeps others out.
  var webhook: String?
  var webhookKinds: [String]?
  var tokenFile: String?
  var authorities: String?
  var allowsInsecure = false

  /// - Parameters:
  ///   - kinds: the kinds of events that there are.
  ///   - usual: those that are told unless others are asked for, in words.
  static func group(_ kinds: [String], usual: String) -> OptionGroup<EventOptions> {
    let reader = ValueReader<[String]>.list(of: .choice(kinds.map { (Choice($0), $0) }))
    return OptionGroup(
      "Commands and webhooks",
      [
        .value(
          "exec", "COMMAND", "Run COMMAND by sh for each event, which is in its environment",
          \.command, .text),
        .value("exec-on", "EVENT,...", "Run it for these events", \.commandKinds, reader.map { $0 })
          .defaulting(to: usual),
        .value(
          "webhook", "URL", "Post each event to URL, as the JSON object of its line", \.webhook,
          ValueReader<String>.text.secret().map { $0 }
        ).fromEnvironment("LUNA_WEBHOOK"),
        .value(
          "webhook-on", "EVENT,...", "Post these events", \.webhookKinds, reader.map { $0 }
        ).defaulting(to: usual),
        .value(
          "webhook-token-file", "FILE", "Send the token in FILE along (Authorization: Bearer)",
          \.tokenFile, .file
        ).fromEnvironment("LUNA_WEBHOOK_TOKEN_FILE"),
        .value(
          "webhook-ca-file", "FILE", "Trust the authorities in FILE (PEM)", \.authorities, .file
        ).defaulting(to: "the system's"),
        .flag(
          "webhook-allow-plain-http", "Send the token over plain http to other machines, too",
          \.allowsInsecure),
      ])
  }

  /// - Parameter isRecording: a recording is no news.
  func check(isRecording: Bool) throws(ValueProblem) {
    do throws(BackendError) {
      _ = try url
    } catch {
      throw ValueProblem("--webhook: \(error.reason)", remedy: error.remedy?.description)
    }
    guard command != nil || commandKinds == nil else {
      throw ValueProblem("--exec-on needs --exec")
    }
    let isAlone = webhookKinds == nil && tokenFile == nil && authorities == nil && !allowsInsecure
    guard webhook != nil || isAlone else {
      throw ValueProblem("the options for a webhook need --webhook")
    }
    guard !isRecording || command == nil && webhook == nil else {
      throw ValueProblem("--exec and --webhook tell of what is heard now, not --read")
    }
  }

  /// What help says of both.
  static let limits =
    "A command may take a minute, and 8 run at once; an event that comes meanwhile waits, and a newer "
    + "one about the same takes its place. A webhook is tried four times, at most 256 events wait for "
    + "it, and redirects are not followed. A URL that others must not know belongs into a configuration "
    + "file."

  /// Who is told; nil for nobody.
  ///
  /// - Parameter usual: the kinds of events that are told unless others are asked for.
  func outlets(
    _ diagnostics: Diagnostics, usual: Set<String>
  ) throws(CommandFailure) -> EventOutlets? {
    guard !isEmpty else { return nil }
    if webhook != nil { CommandLineShredder.shred("--webhook") }
    do throws(BackendError) {
      return try EventOutlets(self, usual: usual, diagnostics)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Whether nobody is to be told.
  var isEmpty: Bool { command == nil && webhook == nil }

  var url: WebhookURL? {
    get throws(BackendError) {
      try webhook.map { (text) throws(BackendError) in
        try WebhookURL(text, hasToken: tokenFile != nil, allowsInsecure: allowsInsecure)
      }
    }
  }

  /// How the server of the webhook is reached.
  var configuration: ClientConfiguration {
    var configuration = ClientConfiguration(url: "")
    configuration.certificateAuthorities = authorities
    configuration.userAgent = "luna/\(Version.text)"
    return configuration
  }
}
