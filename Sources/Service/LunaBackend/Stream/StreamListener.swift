import HTTPServer

/// One who listens.
struct StreamListener: Sendable {
  let events: EventStream
  /// `reset` is among them for everybody.
  let topics: Set<StreamTopic>
  /// The gateways whose numbers it wants.
  let watched: Set<String>
  /// The session that it belongs to; nil for a token.
  let session: String?
}
