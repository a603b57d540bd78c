public import Bluetooth
import EventLoop
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
  private let announces: Bool
  private let tasks = Mutex<[Task<Void, Never>]>([])
  /// Rings when something is to be said sooner than it seemed.
  private let bell = Bell()
  /// Keeps whom the broker was told of; nil where nobody does.
  private let memory = Mutex<AnnouncedTrackers?>(nil)
  /// Rings when there is something to be kept.
  private let memoryBell = Bell()
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
    announces = topics.discovery != nil
  }

  deinit {
    let tasks = tasks.withLock { $0 }
    // Whoever has stopped it has none.
    guard !tasks.isEmpty else { return }
    for task in tasks { task.cancel() }
    Task { [client, farewell = home.withLock(\.farewell)] in
      await client.stop(saying: [farewell])
    }
  }

  /// How it stands with the broker, for one reader.
  public var states: AsyncStream<MQTTState> { client.states }

  /// The messages that were lost while the broker did not take them.
  public var dropped: Int { client.dropped }

  /// Begins, with the trackers that are known.
  public func start(_ devices: [Device], updates: AsyncStream<LocalUpdate>) {
    tell { $0.begin(devices, at: .zero) }
    run(updates)
  }

  /// Begins with an eye on the store, and with what earlier runs have told: who was forgotten is taken back, who is
  /// called otherwise announced anew, now and as long as it runs.
  ///
  /// - Parameter devices: those that are followed.
  /// - Throws: as the store.
  package func start(
    _ devices: [Device], of store: any DeviceStore, remembering memory: AnnouncedTrackers,
    updates: AsyncStream<LocalUpdate>
  ) async throws(DeviceStoreError) {
    let news = Bell()
    // Before it is read: what is written between the two is told then.
    try await store.tell(news)
    let all = try await store.allDevices()
    let earlier = await Blocking.run { memory.read() }
    self.memory.withLock { $0 = memory }
    tell { home in
      guard let earlier else { return home.begin(devices, at: .zero) }
      return home.begin(devices, of: all, after: earlier, at: .zero)
    }
    run(updates)
    let helpers: [Task<Void, Never>] = [
      Task { [weak self] in
        while !Task.isCancelled {
          await news.wait(for: .seconds(3600))
          // What is wrong with the store is told by who follows.
          guard !Task.isCancelled, let all = try? await store.allDevices(),
            // At the end nothing is sent any more: the next run takes back who is gone.
            !Task.isCancelled
          else { continue }
          self?.tell { $0.renew(all) }
        }
      },
      Task { [weak self, memoryBell] in
        while !Task.isCancelled, let pause = await self?.remember() {
          await memoryBell.wait(for: pause)
        }
      },
    ]
    tasks.withLock { $0 += helpers }
  }

  /// Keeps whom the broker was told of; of those that were taken back, until it knows.
  ///
  /// - Returns: after what time to look again, where nothing else happens.
  @discardableResult private func remember() async -> Duration? {
    guard let memory = memory.withLock({ $0 }) else { return nil }
    let withdrawn = home.withLock(\.withdrawn)
    let isSettled = !client.takesBack
    if isSettled { home.withLock { $0.settle(withdrawn) } }
    let announced = home.withLock(\.announced)
    // Where it cannot be kept, the next run knows what an earlier one has told.
    await Blocking.run { _ = try? memory.keep(announced) }
    return isSettled ? .seconds(3600) : .seconds(2)
  }

  private func run(_ updates: AsyncStream<LocalUpdate>) {
    if announces { client.subscribe(to: HomeTopics.birth) }
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

  /// Takes leave of the home. Where it was not stopped, that is done when nobody has it any more.
  public func stop() async {
    let tasks = tasks.withLock { tasks in
      defer { tasks = [] }
      return tasks
    }
    for task in tasks { task.cancel() }
    await client.stop(saying: [home.withLock(\.farewell)])
    for task in tasks { await task.value }
    await remember()
  }

  private var elapsed: Duration { began.duration(to: .now) }

  private func tell(_ body: (inout TrackerHome) -> [MQTTMessage]) {
    let hasNews = home.withLock { home in
      let before = home.announcements
      // In the order in which the home changes.
      for message in body(&home) { client.publish(message) }
      return home.announcements != before
    }
    if hasNews { memoryBell.ring() }
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
    if HomeTopics.isBirth(message) { return client.publishAgain() }
    if let uuid = home.withLock({ $0.ringing(message) }) { ring?(uuid) }
  }
}
