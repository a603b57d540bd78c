import LunaCore
import LunaStore
import Synchronization

@testable import LunaHome

/// Keeps what a home mails.
final class KeptMail: HomeOutbox {
  private let kept = Mutex<[HomeMail]>([])

  var mails: [HomeMail] { kept.withLock { $0 } }

  func add(
    _ messages: [HomeMessage], to database: borrowing HomeDatabase
  ) throws(DeviceStoreError) {}

  func add(_ mail: HomeMail, to database: borrowing HomeDatabase) throws(DeviceStoreError) {
    kept.withLock { kept in
      if !kept.contains(where: { $0.id == mail.id }) { kept.append(mail) }
    }
  }

  func wake() {}
  func reload(_ settings: NotificationSettings) {}
  func retry(_ id: Int64) async -> Bool { false }
  func stop() async {}
}
