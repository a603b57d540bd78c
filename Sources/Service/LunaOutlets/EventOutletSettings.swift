package import ChildProcess
package import LunaClient

/// Who is told of what happens, and of which events.
package struct EventOutletSettings: Sendable {
  /// What `sh -c` is given for an event; nil for no command.
  package var command: String?
  /// The kinds of events that the command is run for.
  package var commandKinds: Set<String> = []
  /// What becomes of a command when something happens about the same again.
  package var repetition = EventCommand.Repetition.waits
  /// Variables of the environment that no command gets.
  package var secrets: [String] = []
  /// Where events are posted to; nil for nowhere.
  package var webhook: WebhookURL?
  /// The kinds of events that are posted.
  package var webhookKinds: Set<String> = []
  /// What goes along with what is posted.
  package var token = TokenSource.none
  /// How the server of the webhook is reached.
  package var client = ClientConfiguration(url: "")

  /// Nobody is told.
  package init() {}
}
