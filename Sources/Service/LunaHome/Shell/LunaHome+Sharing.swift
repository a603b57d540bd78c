import Bluetooth
package import Luna
import LunaCore
import LunaLocal
import LunaShare
import LunaStore

// Trackers that are given to other people for a time, and theirs that are given to this home.

extension LunaHome {
  /// What makes shares of this home's trackers and takes those of others.
  ///
  /// - Throws: ``HomeError`` of kind `action` where its program keeps devices in a store of its own;
  ///   `DeviceStoreError`.
  package func sharing() async throws -> TrackerSharing {
    guard let store = try await luna.devicesOnDisk() else {
      throw HomeError(.action, "the program of this home keeps no contact cards")
    }
    return TrackerSharing(
      store: store, owner: luna.owner(), backend: luna.settings.backend ?? "")
  }

  /// Takes the cards of contacts, as `luna contact add` does: their codes are still to be compared, and no card that
  /// is kept is changed by them.
  ///
  /// - Returns: which ones cannot be taken, and why.
  func takeCards(of contacts: [NotificationSettings.Contact]) async -> [String] {
    var complaints: [String] = []
    for contact in contacts {
      guard let card = contact.card else { continue }
      do {
        guard let reason = try await take(card, of: contact) else { continue }
        complaints.append("the card of \(contact.id) is not taken: \(reason)")
      } catch {
        complaints.append("the card of \(contact.id) cannot be kept: \(error)")
      }
    }
    return complaints
  }

  /// - Returns: why not; nil where it is kept.
  private func take(
    _ card: ContactCard, of contact: NotificationSettings.Contact
  ) async throws -> String? {
    let sharing = try await self.sharing()
    // Under whatever name.
    let isKept = try await sharing.store.contacts().contains { $0.key == card.key.bytes }
    if isKept { return nil }
    let isPrintable = contact.name.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0.value != 0x7F
    }
    let fits = isPrintable && contact.name.utf8.count <= ContactCard.nameLimit
    let name = fits ? contact.name : contact.id
    switch try await sharing.conflict(of: card, named: name) {
    case .ownCard: return "it is that of this home"
    case .name: return "\(name) has another one, which is to be removed first"
    case .card, nil: break
    }
    try await sharing.store.put(
      ContactRow(
        name: name, email: contact.email ?? "", key: card.key.bytes, isVerified: false,
        addedAt: clock.now().unixMilliseconds / 1000))
    return nil
  }

  /// Listens anew: what is listened for begins with the keys as they are kept now. To be called after keys were
  /// replaced or removed, and when the status of a tracker was shared; new ones are found without it.
  package func listenAnew() async {
    guard isRunning, !isLocked else { return }
    isListeningAnew = true
    await luna.local().stop()
  }

  /// Removes the keys of shares that are over.
  func wipeEndedShares() async {
    do {
      guard let store = try await luna.devicesOnDisk(),
        try await store.wipeEndedShares(at: clock.now().unixMilliseconds / 1000) > 0
      else { return }
      try await reload()
      await listenAnew()
    } catch {
      logger.log(.ERROR, "what others have shared cannot be removed: \(error)")
    }
  }
}
