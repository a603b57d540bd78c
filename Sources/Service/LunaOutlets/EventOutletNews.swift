package import ChildProcess
package import LunaClient

/// What becomes of telling.
package enum EventOutletNews: Sendable {
  /// Why a command was not run.
  case command(EventCommand.Problem)
  /// How it stands with the webhook.
  case webhook(Webhook.News)
  /// At the end, how many events no command and no webhook was told of; not both 0.
  case untold(commands: Int, webhooks: Int)
}
