import Bluetooth
package import Luna
import LunaCore
import LunaLocal
import LunaShare
package import LunaStore

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

  /// Where files for somebody go by mail; nil where the home has no channel for mail, or nobody knows an address.
  package func mailAddress(of contact: ContactRow) -> String? {
    guard let settings = loaded?.configuration.notifications, hasMail else { return nil }
    if !contact.email.isEmpty { return contact.email }
    return settings.contacts.first { $0.card?.key.bytes == contact.key }?.email
  }

  /// Whether the file has a channel for mail.
  package var hasMail: Bool {
    loaded?.configuration.notifications.channels.contains { $0.kind == .email } ?? false
  }

  /// Has something mailed to somebody.
  ///
  /// - Returns: false where there is no channel for mail.
  package func send(_ mail: HomeMail) async throws(DeviceStoreError) -> Bool {
    guard isRunning, hasMail, let store, let outbox else { return false }
    try await store.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try outbox.add(mail, to: database)
    }
    outbox.wake()
    return true
  }

  /// Makes shares anew for which that is wanted, and has them mailed.
  func renewShares() async {
    guard isRunning, !isLocked, outbox != nil else { return }
    do {
      guard try await luna.devicesOnDisk() != nil else { return }
      let sharing = try await sharing()
      let time = clock.now()
      var complaints: [String] = []
      for share in try await sharing.store.sentShares() where sharing.isDue(share, at: time) {
        do {
          if let reason = try await renew(share, sharing, at: time) { complaints.append(reason) }
        } catch {
          // The others go on.
          complaints.append("what \(share.contact) sees cannot be made anew: \(error)")
        }
      }
      notice(.unmailed, complaints.isEmpty ? nil : complaints.joined(separator: "; "))
    } catch {
      notice(.unmailed, "what is shared cannot be made anew: \(error)")
    }
  }

  /// - Returns: why it is not made anew, where somebody can do something about that.
  func renew(
    _ share: SentShareRow, _ sharing: TrackerSharing, at time: Timestamp
  ) async throws -> String? {
    let devices = try await sharing.store.allDevices()
    let contacts = try await sharing.store.contacts()
    // A tracker that is gone is not shared any more, nor is anything with somebody who was removed.
    guard let tracker = devices.first(where: { $0.uuid == share.tracker }),
      let contact = contacts.first(where: { $0.key == share.recipient }),
      let own = try await sharing.store.contactKey(), let store, let outbox
    else { return nil }
    guard let address = mailAddress(of: contact) else {
      return
        "\(tracker.name) is to be shared with \(contact.name) for longer, and there is no channel for mail, "
        + "or no address of \(contact.name)"
    }
    let next = try await sharing.renewed(share, at: time)
    let mail = HomeMail(
      id: "share-\(next.share)-\(next.serial)", time: time.microseconds, person: contact.name,
      address: address, subject: "\(tracker.name) for longer",
      text:
        "With the file you go on seeing \(tracker.name). Take it in your own home, as the one before: it is for "
        + "you alone.",
      fileName: HomeMail.fileName("\(tracker.name)-\(contact.name)") + ".lunashare",
      file: try await sharing.envelope(of: next, from: own.key))
    // Somebody may have ended it while those before it were made, or made it anew.
    guard try await sharing.store.sentShares().contains(share) else { return nil }
    // What is sent is kept first: a home that is ended here makes the same serial again, and that goes out once.
    try await store.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try outbox.add(mail, to: database)
    }
    try await sharing.store.put(next)
    outbox.wake()
    logger.log(
      .INFO, "\(tracker.name) is shared with \(contact.name) for longer: the file is mailed")
    // From now on what it says of itself may be somebody else's word for longer.
    if next.rights.status { await listenAnew() }
    return nil
  }

  /// Has somebody told of the devices, by their uuids, whose shares are over: also while the home was not there.
  package func whenSharesEnd(_ tell: @escaping @Sendable (String) async -> Void) async {
    tellEndedShare = tell
    for device in lostShares { await tell(device) }
  }

  /// The devices that people have listed and that are none any more, since their shares have ended while nobody looked, or
  /// by a command.
  private var lostShares: [String] {
    guard isRunning, !isLocked else { return [] }
    return (loaded?.configuration.trackers ?? []).compactMap { entry in
      guard let device = entry.device, devices[entry.id] == nil,
        case .text(let family)? = engine?.state.trackers[entry.id]?.properties["family"]?.value,
        family == DeviceKind.lunaShared.rawValue
      else { return nil }
      return device
    }
  }

  /// Removes the keys of shares that are over.
  func wipeEndedShares() async {
    do {
      guard let store = try await luna.devicesOnDisk() else { return }
      let time = clock.now().unixMilliseconds / 1000
      let over = try await store.receivedShares().filter { $0.until <= time }.compactMap(\.device)
      if try await store.wipeEndedShares(at: time) > 0 {
        for device in over { await tellEndedShare?("\(device)") }
        try await reload()
        await listenAnew()
      }
      for device in lostShares { await tellEndedShare?(device) }
    } catch {
      logger.log(.ERROR, "what others have shared cannot be removed: \(error)")
    }
  }
}
