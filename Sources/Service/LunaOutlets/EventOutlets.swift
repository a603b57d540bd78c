import ChildProcess
import LunaClient
package import LunaCore
import LunaDocuments
package import LunaFinder
package import LunaLocal
import Synchronization

/// Runs a command of the user's, and posts to a webhook, for what happens. Nobody waits for either.
package final class EventOutlets: Sendable {
  /// How many commands run at once.
  private static let limit = 4
  /// How long a command may take.
  private static let timeLimit: Duration = .seconds(30)
  /// How long the end of a run waits for what was heard last to be told.
  private static let patience: Duration = .seconds(5)

  private struct State {
    var document = FinderDocument()
    var timeText = TimeText()
    var isFinished = false
  }

  private let command: EventCommand?
  private let webhook: Webhook?
  private let commandKinds: Set<String>
  private let webhookKinds: Set<String>
  private let report: @Sendable (EventOutletNews) -> Void
  private let runner: Task<Void, Never>?
  private let state = Mutex(State())

  /// - Parameters:
  ///   - settings: who is told of what.
  ///   - report: gets what is to be said of that.
  /// - Throws: `BackendError` when the token cannot be read or libcurl is missing.
  package init(
    _ settings: EventOutletSettings, report: @escaping @Sendable (EventOutletNews) -> Void
  ) throws(BackendError) {
    self.report = report
    commandKinds = settings.commandKinds
    webhookKinds = settings.webhookKinds
    webhook = try settings.webhook.map { (url) throws(BackendError) in
      try Webhook(url, configuration: settings.client, token: settings.token) { news in
        report(.webhook(news))
      }
    }
    let command = settings.command.map { text in
      EventCommand(
        text, repetition: settings.repetition, limit: EventOutlets.limit,
        timeLimit: EventOutlets.timeLimit, hiding: settings.secrets
      ) { problem in
        report(.command(problem))
      }
    }
    self.command = command
    runner = command.map { command in Task { await command.run() } }
  }

  /// Something happened to a tracker.
  package func take(_ update: LocalUpdate) {
    let kind = update.event.rawValue
    guard isWanted(kind) else { return }
    let buffer = OutputBuffer()
    state.withLock { LocalDocument.appendNews(of: update, &$0.timeText, to: buffer) }
    tell(
      kind, about: "\(kind) \(update.device.identifier)", Array(buffer.take().dropLast()),
      LocalDocument.variables(of: update))
  }

  /// A finder has something to tell.
  package func take(_ update: FinderUpdate) {
    let kind = update.type.description
    let buffer = OutputBuffer()
    // Those that nobody wants too: the last one counts them.
    state.withLock { $0.document.append(update, to: buffer) }
    guard isWanted(kind) else { return }
    let variables = FinderDocument.variables(of: update)
    // Each tracker and each command is a matter of its own.
    let own = ["LUNA_HEID", "LUNA_REQUEST", "LUNA_OUTCOME"]
    let matter = variables.filter { own.contains($0.name) }
    let line = Array(buffer.take().dropLast())
    tell(
      kind, about: ([kind] + matter.map(\.value)).joined(separator: " "), line,
      variables + [("LUNA_JSON", String(decoding: line, as: UTF8.self))])
  }

  /// How many events no webhook was told of so far, with the reason.
  package var losses: [(reason: String, count: UInt64)] {
    let lost = webhook?.lost ?? 0
    return lost > 0 ? [(DropReason.webhook, UInt64(lost))] : []
  }

  /// Tells what was heard last, and ends; once.
  package func finish() async {
    let isFirst = state.withLock { state in
      defer { state.isFinished = true }
      return !state.isFinished
    }
    guard isFirst else { return }
    async let posted: Void? = webhook?.finish(within: EventOutlets.patience)
    await command?.finish(within: EventOutlets.patience)
    await runner?.value
    await posted
    let (commands, webhooks) = (await command?.skipped ?? 0, webhook?.lost ?? 0)
    if commands + webhooks > 0 { report(.untold(commands: commands, webhooks: webhooks)) }
  }

  private func isWanted(_ kind: String) -> Bool {
    command != nil && commandKinds.contains(kind) || webhook != nil && webhookKinds.contains(kind)
  }

  private func tell(
    _ kind: String, about subject: String, _ body: [UInt8], _ variables: [EventCommand.Variable]
  ) {
    if webhookKinds.contains(kind) { webhook?.tell(body) }
    guard let command, commandKinds.contains(kind) else { return }
    let all = [("LUNA_EVENT", kind)] + variables
    command.tell(EventCommand.Occurrence(subject) { all })
  }
}
