package import LunaCore
package import LunaHome
package import LunaStore
import Synchronization

/// The outbox of a home: keeps what its rules tell people beside what they have come to, and sends it.
package final class NotifyOutbox: HomeOutbox {
  private let notifier: Notifier
  private let file: OutboxFile
  private let settings: Mutex<NotificationSettings>
  /// Sends; nil before there is something to send for.
  private let task = Mutex<Task<Void, Never>?>(nil)
  /// Files that were read again, one after the other.
  private let reloads: AsyncStream<NotificationSettings>
  private let inlet: AsyncStream<NotificationSettings>.Continuation

  /// An outbox that sends from the first ``wake()`` on.
  ///
  /// - Parameter report: is told how it goes.
  package init(
    _ store: HomeStore, _ settings: NotificationSettings,
    report: @escaping @Sendable (Notifier.News) -> Void
  ) async throws {
    let file = try await OutboxFile.open(path: store.path)
    self.file = file
    self.settings = Mutex(settings)
    notifier = Notifier(
      file, settings, courier: ChannelCourier(settings, book: file), report: report)
    (reloads, inlet) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  package func add(
    _ messages: [HomeMessage], to database: borrowing HomeDatabase
  ) throws(DeviceStoreError) {
    let settings = settings.withLock(\.self)
    let entries = messages.flatMap { OutboxPlan.entries(for: $0, settings) }
    try OutboxTable.add(entries, to: database.connection)
  }

  package func add(
    _ mail: HomeMail, to database: borrowing HomeDatabase
  ) throws(DeviceStoreError) {
    let channel = settings.withLock(\.self).channels.first { $0.kind == .email }
    try OutboxTable.add([OutboxPlan.entry(for: mail, channel)], to: database.connection)
  }

  package func wake() {
    task.withLock { task in
      if task == nil {
        task = Task { [notifier, file, reloads] in await Self.run(notifier, file, reloads) }
      }
    }
    notifier.wake()
  }

  private static func run(
    _ notifier: Notifier, _ file: OutboxFile, _ reloads: AsyncStream<NotificationSettings>
  ) async {
    async let sending: Void = notifier.run()
    for await settings in reloads {
      await notifier.use(settings, courier: ChannelCourier(settings, book: file))
    }
    await sending
  }

  package func reload(_ new: NotificationSettings) {
    settings.withLock { $0 = new }
    inlet.yield(new)
  }

  package func stop() async {
    inlet.finish()
    await notifier.stop(within: .seconds(5))
    await task.withLock(\.self)?.value
  }

  /// Sends again what was put aside.
  ///
  /// - Returns: whether there is such a one.
  package func retry(_ id: Int64) async throws -> Bool { try await notifier.retry(id) }
}
