/// What is said on a connection to a tracker: takes what happens and says what to do next.
protocol Conversation<News>: Sendable {
  /// What there is to tell on the way.
  associatedtype News: Sendable

  /// What it is about.
  var wish: StrangerWish { get }

  /// Whether what it waits for has to come within the time for all of it; not so once the answer
  /// is there.
  var isAwaitingAnswer: Bool { get }

  /// Takes an event.
  ///
  /// - Parameter elapsed: the time since the connection was there.
  mutating func handle(
    _ event: ConversationEvent, at elapsed: Duration
  ) -> ConversationAction<News>
}
