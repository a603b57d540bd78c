public import Bluetooth
public import LunaCore
public import LunaLocal
public import LunaProtocol
public import MQTT
import Synchronization

/// Tells a home of one's own trackers, by MQTT and in the words of Home Assistant: the shell around
/// ``TrackerHome``.
///
/// ```swift
/// let publisher = try TrackerPublisher(
///   MQTTConfiguration(MQTTAddress("mqtt://localhost"), clientID: "luna-attic"),
///   topics: HomeTopics(base: nil, host: "attic", discovery: "homeassistant"))
/// publisher.start(try await luna.owner().allDevices(), updates: luna.local().updates)
/// for await update in luna.local().listeningUpdates { publisher.take(update) }
/// ```
///
/// Listening never waits for the broker.
public final class TrackerPublisher: Sendable {
  /// Makes a tracker sound.
  public typealias Ring = @Sendable (DeviceUUID) -> Void

  private let client: MQTTClient
  private let home: Mutex<TrackerHome>
  private let ring: Ring?
  private let tasks = Mutex<[Task<Void, Never>]>([])
  /// Rings when something is to be said sooner than it seemed.
  private let bell = Bell()
  private let began = ContinuousClock.now

  /// - Parameters:
  ///   - configuration: the broker; the last will is set here.
  ///   - timeout: after which a tracker that was not heard at all is away.
  ///   - ring: makes a tracker sound when a home asks for it; nil when that cannot be.
  /// - Throws: `MQTTError`.
  public init(
    _ configuration: MQTTConfiguration, topics: HomeTopics, filter: HomeFilter = HomeFilter(),
    timeout: Duration = .seconds(60), ring: Ring? = nil
  ) throws(MQTTError) {
    let home = TrackerHome(topics, filter: filter, timeout: timeout, rings: ring != nil)
    var configuration = configuration
    configuration.lastWill = home.farewell
    client = try MQTTClient(configuration)
    self.home = Mutex(home)
    self.ring = ring
  }

  /// How it stands with the broker, for one reader.
  public var states: AsyncStream<MQTTState> { client.states }

  /// The messages that were lost while the broker did not take them.
  public var dropped: Int { client.dropped }

  /// Begins, with the trackers that are known.
  public func start(_ devices: [Device], updates: AsyncStream<LocalUpdate>) {
    tell { $0.begin(devices, at: .zero) }
    if let commands = home.withLock(\.commands) { client.subscribe(to: commands) }
    client.start()
    let messages = client.messages
    tasks.withLock { tasks in
      tasks.append(
        Task { [weak self] in
          for await update in updates { self?.take(update) }
        })
      tasks.append(
        Task { [weak self, bell] in
          while !Task.isCancelled, let pause = self?.pause {
            await bell.wait(for: pause)
            guard !Task.isCancelled else { return }
            self?.passTime()
          }
        })
      tasks.append(Task { [weak self] in for await message in messages { self?.take(message) } })
    }
  }

  /// Tells what becomes of the radio: when it does not work for as long as a time-out, a home is told that nothing is
  /// known. Never waits.
  public func take(_ update: ListeningUpdate) {
    let elapsed = elapsed
    tell { $0.take(update, at: elapsed) }
    bell.ring()
  }

  /// Takes leave of the home.
  public func stop() async {
    let tasks = tasks.withLock { tasks in
      defer { tasks = [] }
      return tasks
    }
    for task in tasks { task.cancel() }
    await client.stop(saying: [home.withLock(\.farewell)])
  }

  private var elapsed: Duration { began.duration(to: .now) }

  private func tell(_ body: (inout TrackerHome) -> [MQTTMessage]) {
    // In the order in which the home changes.
    home.withLock { home in for message in body(&home) { client.publish(message) } }
  }

  private func take(_ update: LocalUpdate) {
    let elapsed = elapsed
    tell { $0.take(update, at: elapsed) }
  }

  /// Until something is to be said of who is not heard; an hour where nothing is.
  private var pause: Duration {
    let due = home.withLock(\.due)
    return due.map { $0 - elapsed } ?? .seconds(3600)
  }

  private func passTime() {
    let elapsed = elapsed
    tell { $0.timePassed(at: elapsed) }
  }

  private func take(_ message: MQTTMessage) {
    if let uuid = home.withLock({ $0.ringing(message) }) { ring?(uuid) }
  }
}
