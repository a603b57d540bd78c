import ChildProcess
import CommandSpec
import Diagnosis
import LunaClient
import LunaCore
import LunaOutlets

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
          "webhook", "URL", "Post each event to URL, a JSON object", \.webhook,
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
          "webhook-allow-plain-http", "Post over plain http to other machines, too",
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

  /// Variables of the environment that no command gets.
  static let secrets = ["LUNA_WEBHOOK"]

  /// What help says of both.
  static let limits =
    "A command may take 30 seconds, and 4 run at once. A webhook is reached by https, or on this "
    + "machine; each event is tried four times, for 10 seconds each, at most 64 wait for it, and "
    + "redirects are not followed. A URL that others must not know belongs into a configuration file."

  /// Who is told; nil for nobody.
  ///
  /// - Parameters:
  ///   - usual: the kinds of events that are told unless others are asked for.
  ///   - repetition: what becomes of a command when something happens about the same again.
  func outlets(
    _ diagnostics: Diagnostics, usual: Set<String>, repetition: EventCommand.Repetition
  ) throws(CommandFailure) -> EventOutlets? {
    guard !isEmpty else { return nil }
    if webhook != nil { CommandLineShredder.shred("--webhook") }
    var settings = EventOutletSettings()
    settings.command = command
    settings.commandKinds = commandKinds.map { Set($0) } ?? usual
    settings.repetition = repetition
    settings.secrets = EventOptions.secrets
    settings.webhookKinds = webhookKinds.map { Set($0) } ?? usual
    if let tokenFile { settings.token = .file(tokenFile) }
    settings.client = configuration
    do throws(BackendError) {
      settings.webhook = try url
      let place = settings.webhook?.place ?? ""
      return try EventOutlets(settings) { EventOptions.tell($0, place, diagnostics) }
    } catch {
      throw CommandFailure(error)
    }
  }

  /// - Parameter place: where the webhook is.
  private static func tell(_ news: EventOutletNews, _ place: String, _ diagnostics: Diagnostics) {
    switch news {
    case .command(.noProcess): diagnostics.note("luna: --exec: cannot start a process")
    case .command(.tooMany(let count)):
      diagnostics.note("luna: --exec: \(count) commands run, and more events than may wait")
    case .webhook(.failing(let reason)):
      diagnostics.note("luna: --webhook: \(place): \(reason)")
    case .webhook(.works): diagnostics.note("luna: --webhook: \(place) works again")
    case .webhook(.overflowing):
      diagnostics.note("luna: --webhook: more events than \(place) takes; some are lost")
    case .untold(let commands, let webhooks):
      for (name, count) in [("--exec", commands), ("--webhook", webhooks)] where count > 0 {
        diagnostics.note("luna: \(name): \(count) event\(count == 1 ? "" : "s") not told")
      }
    }
  }

  /// Whether nobody is to be told.
  var isEmpty: Bool { command == nil && webhook == nil }

  var url: WebhookURL? {
    get throws(BackendError) {
      try webhook.map { (text) throws(BackendError) in
        try WebhookURL(text, allowsInsecure: allowsInsecure)
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
