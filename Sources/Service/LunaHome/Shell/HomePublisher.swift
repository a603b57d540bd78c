import LunaJSON
import LunaMQTT
import MQTT
import Synchronization

/// Tells a broker of a home, and hears from it what is to be done: the shell around ``HomeAnnouncer``.
final class HomePublisher: Sendable {
  private let client: MQTTClient
  private let announcer: Mutex<HomeAnnouncer>
  private let setup: BrokerSetup

  /// - Throws: `MQTTError`; ``HomeError`` for a password that cannot be read.
  init(_ setup: BrokerSetup, _ configuration: HomeConfiguration) throws {
    self.setup = setup
    let announcer = HomeAnnouncer(HomeTopics(base: setup.base), configuration)
    var address = try MQTTAddress("mqtt://localhost")
    address.host = setup.host
    address.port = setup.port
    address.usesTLS = setup.usesTLS
    address.user = setup.user
    var settings = MQTTConfiguration(address, clientID: setup.clientID)
    settings.password = try setup.password?.read()
    settings.authorities = setup.authorities
    settings.certificate = setup.certificate
    settings.key = setup.key
    settings.lastWill = announcer.farewell
    client = try MQTTClient(settings)
    self.announcer = Mutex(announcer)
  }

  var topics: HomeTopics { announcer.withLock(\.topics) }
  /// Which broker it is.
  var broker: String { "\(setup.host):\(setup.port)" }
  /// The levels of the trackers that the broker is told of.
  var announced: Set<String> { announcer.withLock(\.announced) }
  /// Whether the broker knows of all that was taken back that it was.
  var isSettled: Bool { !client.takesBack && client.dropped == 0 }
  var states: AsyncStream<MQTTState> { client.states }
  var messages: AsyncStream<MQTTMessage> { client.messages }

  /// Begins, with the trackers that are known and the topics that properties come from.
  ///
  /// - Parameter earlier: of whom homes before this one may have told.
  func start(
    _ trackers: [HomeTracker], sources: Set<String>, after earlier: [String: Set<String>]
  ) {
    tell { $0.begin(trackers) + $0.withdrawals(after: earlier) }
    subscribe(sources)
    client.start()
  }

  private func subscribe(_ sources: Set<String>) {
    client.subscribe(to: LunaMQTT.HomeTopics.birth)
    let topics = topics
    client.subscribe(to: topics.messages)
    if setup.takesCommands {
      client.subscribe(to: topics.base + "/tracker/+/do")
      client.subscribe(to: topics.base + "/tracker/+/set/+")
    }
    for topic in sources.sorted() { client.subscribe(to: topic) }
  }

  /// Another file holds.
  func adopt(
    _ configuration: HomeConfiguration, _ trackers: [HomeTracker], sources: Set<String>
  ) {
    announcer.withLock { announcer in
      var new = HomeAnnouncer(announcer.topics, configuration)
      let messages = new.begin(trackers)
      for message in announcer.withdrawals(for: new) + messages { client.publish(message) }
      announcer = new
    }
    subscribe(sources)
  }

  /// Something has changed.
  func take(_ change: HomeChange, _ tracker: (String) -> HomeTracker?) {
    switch change.event {
    case .value(let id, _):
      if let tracker = tracker(id) { tell { $0.state(tracker) } }
    case .firing: say(MQTTMessage(topics.event, change.json.bytes))
    default: break
    }
  }

  /// How trackers are, also where nothing has happened: what is old is no longer known.
  func refresh(_ trackers: [HomeTracker]) {
    for tracker in trackers { tell { $0.state(tracker) } }
  }

  /// Says everything again: Home Assistant has started.
  func repeatAll() { client.publishAgain() }

  func publish(topic: String, payload: String, isRetained: Bool) {
    say(MQTTMessage(topic, payload, isRetained: isRetained))
  }

  /// Says what has happened, or what is to be done: each time, and until it has arrived.
  private func say(_ message: MQTTMessage) {
    var message = message
    message.isCommand = true
    client.publish(message)
  }

  /// What a message asks for; nil for what is no command, or is not to be obeyed: a command that the
  /// broker has kept is one of another time.
  func command(_ message: MQTTMessage) -> HomeTopics.Command? {
    guard !message.isRetained, let command = topics.command(in: message.topic) else { return nil }
    switch command {
    case .message: return command
    case .perform(let level):
      guard setup.takesCommands, let id = announcer.withLock({ $0.tracker(level) }) else {
        return nil
      }
      return .perform(tracker: id)
    case .set(let level, let property):
      guard setup.takesCommands, let id = announcer.withLock({ $0.tracker(level) }) else {
        return nil
      }
      return .set(tracker: id, property: property)
    }
  }

  /// Takes leave of the broker.
  func stop() async { await client.stop(saying: [announcer.withLock(\.farewell)]) }

  private func tell(_ body: (inout HomeAnnouncer) -> [MQTTMessage]) {
    // In the order in which it changes.
    announcer.withLock { announcer in
      for message in body(&announcer) { client.publish(message) }
    }
  }
}
