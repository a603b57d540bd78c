/// What is still to be sent to a broker, bounded whatever the broker does. A value: it takes what
/// happens and returns what to send.
///
/// Of what is retained only the latest of each topic counts, and all of it is sent anew after every
/// connect: the broker may have forgotten. The rest waits in its order, retained commands too: under their names others
/// may say something else meanwhile.
struct MQTTOutbox: Sendable {
  /// How many messages are on their way at a time.
  static let window = 64

  /// How many messages wait, and how many topics are retained, at most.
  let limit: Int
  /// The messages that found no room.
  private(set) var dropped = 0

  /// Whether the broker takes messages.
  private(set) var isConnected = false
  /// Whether something retained is being taken back, which the broker has not confirmed yet.
  private(set) var takesBack = false
  private var underWay = 0
  private var retained: [String: [UInt8]] = [:]
  /// The retained topics in the order of their first message, and those that are to be sent.
  private var topics: [String] = []
  private var due: [String] = []
  private var waiting: [MQTTMessage] = []
  /// Commands that were sent and may not have arrived, no more than can be on their way.
  private var unconfirmed: [MQTTMessage] = []

  init(limit: Int) { self.limit = max(1, limit) }

  /// Whether nothing waits and nothing is on its way.
  var isEmpty: Bool { due.isEmpty && waiting.isEmpty && underWay == 0 }

  /// Takes a message.
  mutating func publish(_ message: MQTTMessage) -> [MQTTMessage] {
    if message.isRetained, !message.isCommand {
      guard keep(message) else { return [] }
    } else {
      waiting.append(message)
      // What is oldest says least.
      if waiting.count > limit {
        waiting.removeFirst()
        dropped += 1
      }
    }
    return next()
  }

  private mutating func keep(_ message: MQTTMessage) -> Bool {
    if let known = retained[message.topic] {
      // What was sent, or is about to be, need not be sent twice.
      guard known != message.payload else { return false }
    } else {
      guard topics.count < limit else {
        dropped += 1
        return false
      }
      topics.append(message.topic)
    }
    retained[message.topic] = message.payload
    takesBack = takesBack || message.payload.isEmpty
    if !due.contains(message.topic) { due.append(message.topic) }
    return true
  }

  /// The broker has let us in.
  mutating func connected() -> [MQTTMessage] {
    isConnected = true
    underWay = 0
    due = topics
    return next()
  }

  /// Somebody else has begun to listen: all that is retained is sent again.
  mutating func again() -> [MQTTMessage] {
    due = topics
    return next()
  }

  /// So many messages have arrived.
  mutating func delivered(_ count: Int) -> [MQTTMessage] {
    underWay = max(0, underWay - count)
    if underWay == 0 { unconfirmed = [] }
    let messages = next()
    if takesBack, isConnected, isEmpty { forget() }
    return messages
  }

  /// So many messages could not be sent: they make room, and have not arrived.
  mutating func failed(_ count: Int) -> [MQTTMessage] {
    underWay = max(0, underWay - count)
    return next()
  }

  /// What is taken back is not said again: by then the topic may be somebody else's.
  private mutating func forget() {
    takesBack = false
    topics.removeAll { retained[$0]?.isEmpty == true }
    retained = retained.filter { !$0.value.isEmpty }
  }

  /// The connection is gone. What was on its way and neither retained nor a command is lost, as MQTT says of it.
  mutating func disconnected() {
    isConnected = false
    underWay = 0
    waiting.insert(contentsOf: unconfirmed, at: 0)
    unconfirmed = []
  }

  private mutating func next() -> [MQTTMessage] {
    guard isConnected else { return [] }
    var messages: [MQTTMessage] = []
    let room = MQTTOutbox.window - underWay
    for topic in due.prefix(room) {
      messages.append(MQTTMessage(topic, retained[topic] ?? [], isRetained: true))
    }
    due.removeFirst(messages.count)
    let others = waiting.prefix(room - messages.count)
    messages += others
    for message in others where message.isCommand { unconfirmed.append(message) }
    unconfirmed.removeFirst(max(0, unconfirmed.count - MQTTOutbox.window))
    waiting.removeFirst(others.count)
    underWay += messages.count
    return messages
  }
}
