public import LunaFinder
public import MQTT
import Synchronization

/// Tells a home of a gateway, by MQTT and in the words of Home Assistant: the shell around
/// ``GatewayHome``.
public final class GatewayPublisher: Sendable {
  private let client: MQTTClient
  private let home: Mutex<GatewayHome>
  private let announces: Bool

  /// - Parameter configuration: the broker; the last will is set here.
  /// - Throws: `MQTTError`.
  public init(_ configuration: MQTTConfiguration, topics: HomeTopics) throws(MQTTError) {
    let home = GatewayHome(topics)
    var configuration = configuration
    configuration.lastWill = home.farewell
    client = try MQTTClient(configuration)
    self.home = Mutex(home)
    announces = topics.discovery != nil
  }

  /// How it stands with the broker, for one reader.
  public var states: AsyncStream<MQTTState> { client.states }

  /// The messages that were lost while the broker did not take them.
  public var dropped: Int { client.dropped }

  /// Begins.
  ///
  /// - Parameter name: of the gateway, for a person.
  public func start(_ name: String) {
    for message in home.withLock({ $0.begin(name) }) { client.publish(message) }
    if announces { client.subscribe(to: HomeTopics.birth) }
    client.start()
    Task { [client] in
      for await message in client.messages where HomeTopics.isBirth(message) {
        client.publishAgain()
      }
    }
  }

  /// Tells what has happened; never waits.
  public func take(_ update: FinderUpdate) {
    home.withLock { home in for message in home.take(update) { client.publish(message) } }
  }

  /// Takes leave of the home.
  public func stop() async { await client.stop(saying: [home.withLock(\.farewell)]) }
}
