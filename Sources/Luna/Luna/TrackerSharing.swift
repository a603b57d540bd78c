package import Bluetooth
import EventLoop
package import LunaCore
package import LunaCrypto
package import LunaOwner
import LunaProtocol
package import LunaShare
package import LunaStore

/// Contact cards, and trackers of one's own that others may see for a time (SHARING.md): what a command and a home
/// have in common.
package struct TrackerSharing: Sendable {
  /// Why nobody new can have a card under a name.
  package enum Conflict: Hashable, Sendable {
    /// It is one's own card.
    case ownCard
    /// Somebody else has the name.
    case name
    /// Somebody has the card under another name.
    case card(of: String)
  }

  /// The longest share, s: 400 days.
  package static let longest = SQLiteDeviceStore.longestShare
  /// After this time a share that is to be renewed is made anew, s: 20 days.
  package static let renewal: Int64 = 20 * 86_400

  /// Where cards and shares are kept.
  package let store: SQLiteDeviceStore
  private let owner: LunaOwner
  /// Where one asks for reports oneself; empty for nowhere.
  let backend: String

  /// - Parameter backend: where the owner asks for reports; empty for nowhere.
  package init(store: SQLiteDeviceStore, owner: LunaOwner, backend: String = "") {
    self.store = store
    self.owner = owner
    self.backend = backend
  }

  /// One's own card; nil before there is one.
  package func card() async throws -> ContactCard? {
    guard let present = try await store.contactKey() else { return nil }
    return ContactCard(key: try ContactKey(of: present.key), name: present.name)
  }

  /// Makes one's own card, with the key that is there.
  ///
  /// - Parameter isNew: whether it gets another key.
  /// - Returns: nil when the name cannot stand on a card; then nothing is changed.
  package func makeCard(name: String, withNewKey isNew: Bool) async throws -> ContactCard? {
    let present = try await isNew ? nil : store.contactKey()?.key
    let key = try present ?? SecureRandom.secret(count: ContactKey.byteCount)
    guard let card = ContactCard(key: try ContactKey(of: key), name: name) else { return nil }
    guard isNew else {
      // Another program may just have made one, and given it to somebody.
      let kept = try await store.keepContactKey(key, name: name)
      return ContactCard(key: try ContactKey(of: kept), name: name)
    }
    try await store.putContactKey(key, name: name)
    return card
  }

  /// Why nobody can be added with a card; nil where somebody can.
  package func conflict(of card: ContactCard, named name: String) async throws -> Conflict? {
    let own = try await self.card()
    if own?.key == card.key { return .ownCard }
    for other in try await store.contacts() {
      if other.name == name { return .name }
      if other.key == card.key.bytes { return .card(of: other.name) }
    }
    return nil
  }

  /// A share of a tracker, which is not kept yet.
  ///
  /// - Parameters:
  ///   - start: from when; never from before the tracker was one's own.
  ///   - end: until when, Unix s.
  /// - Throws: `ShareError` for a tracker that is not one's own; `DeviceStoreError`.
  package func share(
    _ device: Device, with contact: ContactRow, _ rights: ShareRights, from start: Timestamp,
    until end: Int64, at now: Timestamp
  ) async throws -> SentShareRow {
    guard device.masterKey != nil else { throw ShareError.foreign(device.name) }
    let periods = try await periods(
      of: device, from: max(start, device.onboardingTimestamp), until: end)
    return SentShareRow(
      share: DeviceUUID(random: try SecureRandom.bytes()), tracker: device.uuid,
      contact: contact.name, recipient: contact.key, serial: 1, periods: periods, rights: rights,
      issuedAt: now.unixMilliseconds / 1000, until: end, isRenewed: false)
  }

  /// A share that lasts from now until another time; it is not kept yet.
  ///
  /// - Throws: `ShareError` for one that was ended, and where its tracker is gone; `DeviceStoreError`.
  package func renewed(
    _ share: SentShareRow, until end: Int64, at now: Timestamp
  ) async throws -> SentShareRow {
    guard share.endedAt == nil else { throw ShareError.ended }
    var next = share
    next.serial += 1
    next.issuedAt = now.unixMilliseconds / 1000
    next.until = end
    next.periods = try await periods(of: try await device(of: share), from: now, until: end)
    return next
  }

  /// Whether a share is to be made anew now; a short one after two thirds of its time, so that none is over before.
  package func isDue(_ share: SentShareRow, at now: Timestamp) -> Bool {
    guard share.isRenewed, share.endedAt == nil else { return false }
    let length = max(0, share.until - share.issuedAt)
    return now.unixMilliseconds / 1000 - share.issuedAt
      >= min(TrackerSharing.renewal, length / 3 * 2)
  }

  /// A share that lasts as long again as it did, from now on; it is not kept yet.
  ///
  /// - Throws: as ``renewed(_:until:at:)``.
  package func renewed(_ share: SentShareRow, at now: Timestamp) async throws -> SentShareRow {
    let length = min(max(0, share.until - share.issuedAt), TrackerSharing.longest)
    return try await renewed(share, until: now.unixMilliseconds / 1000 + length, at: now)
  }

  /// A share that is ended early; it is not kept yet.
  package func ended(_ share: SentShareRow, at now: Timestamp) -> SentShareRow {
    var next = share
    next.serial += 1
    next.issuedAt = now.unixMilliseconds / 1000
    next.isRenewed = false
    next.endedAt = share.endedAt ?? next.issuedAt
    return next
  }

  /// The last message of a share, sealed for who gets it. The same one can be made again and again.
  ///
  /// - Parameter own: one's own private key.
  /// - Throws: `ShareError`, `DeviceStoreError`.
  package func envelope(of share: SentShareRow, from own: SecretBytes) async throws -> [UInt8] {
    guard let recipient = ContactKey(share.recipient) else { throw ShareError.contact }
    var message = ShareMessage(
      share: share.share, serial: share.serial, issuedAt: share.issuedAt, grant: nil)
    if share.endedAt == nil { message.grant = try await grant(of: share) }
    return try await Blocking.run { [message] () throws(any Error) in
      try message.sealed(to: recipient, from: own)
    }
  }

  private func grant(of share: SentShareRow) async throws -> ShareGrant {
    let device = try await device(of: share)
    guard let masterKey = device.masterKey else { throw ShareError.foreign(device.name) }
    let clock =
      try await store.clockStates()[device.uuid]?.interval
      ?? ClockInterval(onboardingTimestamp: device.onboardingSeconds)
    // Half a second for the longest ones.
    let periods = try await Blocking.run { () throws(any Error) in
      try SharedPeriods(
        of: masterKey, periods: share.periods, rights: share.rights, until: share.until)
    }
    return ShareGrant(
      name: device.name, model: "", backend: backend, clock: clock, periods: periods)
  }

  private func device(of share: SentShareRow) async throws -> Device {
    guard let device = try await store.allDevices().first(where: { $0.uuid == share.tracker })
    else { throw ShareError.forgotten }
    return device
  }

  /// The periods of a time, as many as a share may have.
  private func periods(
    of device: Device, from start: Timestamp, until end: Int64
  ) async throws -> PeriodRange {
    let periods = try await owner.periods(
      of: device, from: start, to: Timestamp(unixMilliseconds: end * 1000))
    // 400 days begin and end within a period.
    let count = UInt32(clamping: min(periods.count, SharedPeriods.maximumCount))
    return count == 0
      ? periods : PeriodRange(first: periods.first, last: periods.first + (count - 1))
  }
}
