import Bluetooth

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

/// What happens on a connection.
enum ConversationEvent: Sendable {
  /// It is there, and offers this.
  case connected([GATTCharacteristic])
  /// Indications will come.
  case subscribed
  /// The tracker has what was written.
  case written
  /// The tracker indicated something.
  case value([UInt8])
  /// Nothing came in time.
  case silence
  /// What was to be done failed.
  case failed(GATTError)
  /// The time for all of it is over, and nothing more can be done on the connection.
  case timeIsOver
  /// What was to be told is told.
  case told
  /// It is to stop.
  case stop
}

/// What is to be done on a connection; its outcome is the next event.
enum ConversationAction<News: Sendable>: Sendable {
  /// `subscribed` or `failed`.
  case subscribe(GATTCharacteristic)
  /// `written` or `failed`.
  case write([UInt8], GATTCharacteristic)
  /// `value`, `silence` or `failed`.
  case receive(GATTCharacteristic, within: Duration)
  /// `told`.
  case tell(News)
  /// Nothing comes after this: it is said.
  case leave
  /// Nothing comes after this: it was in vain.
  case fail(BuzzerError)
  /// Nothing has happened yet that a new connection would not mend.
  case again(GATTError)
}

extension ConversationAction {
  /// Whether it is done on the connection.
  var needsTime: Bool {
    switch self {
    case .subscribe, .write, .receive: true
    case .tell, .leave, .fail, .again: false
    }
  }
}
