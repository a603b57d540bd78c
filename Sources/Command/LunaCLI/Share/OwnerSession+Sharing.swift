import Bluetooth
import LunaCore
import LunaCrypto
import LunaDocuments
import LunaOwner
import LunaProtocol
import LunaShare
import LunaStore
import TerminalTable

// What the commands of contacts and of shares have in common.

extension OwnerSession {
  var isJSON: Bool { format == .jsonl }

  /// One's own key.
  func ownKey() async throws -> SecretBytes {
    guard let card = try await store.contactKey() else { throw CommandFailure.noCard }
    return card.key
  }

  func contact(_ name: String) async throws -> ContactRow {
    guard let contact = try await store.contacts().first(where: { $0.name == name }) else {
      throw CommandFailure.noContact(name)
    }
    return contact
  }

  /// The share of one's own that is meant: its id, or the beginning of it.
  func sentShare(_ text: String) async throws -> SentShareRow {
    let wanted = text.uppercased()
    let found = try await store.sentShares().filter { $0.share.description.hasPrefix(wanted) }
    guard found.count == 1, !wanted.isEmpty else { throw CommandFailure.noShare(text) }
    return found[0]
  }

  /// Who sends under a key, as one calls the person.
  func sender(_ key: [UInt8]) async throws -> String {
    try await store.contacts().first { $0.key == key }?.name ?? "somebody who is no contact"
  }

  // MARK: Making

  /// The periods of a time, as many as a share may have.
  func sharedPeriods(
    of device: Device, from start: Timestamp, until end: Int64
  ) async throws -> PeriodRange {
    let periods = try await owner.periods(
      of: device, from: start, to: Timestamp(unixMilliseconds: end * 1000))
    // 400 days begin and end within a period.
    let count = UInt32(clamping: min(periods.count, SharedPeriods.maximumCount))
    return count == 0
      ? periods : PeriodRange(first: periods.first, last: periods.first + (count - 1))
  }

  /// Makes a message of a share, seals it and writes it.
  ///
  /// - Parameter grant: what it gives; nil: it ends the share.
  func write(
    _ row: SentShareRow, _ grant: ShareGrant?, to file: String, replacing: Bool
  ) async throws {
    guard let recipient = ContactKey(row.recipient) else {
      throw CommandFailure.noContact(row.contact)
    }
    let own = try await ownKey()
    let message = ShareMessage(
      share: row.share, serial: row.serial, issuedAt: row.issuedAt, grant: grant)
    try OutputFile.check(file, replacing: replacing)
    let envelope: [UInt8]
    do {
      envelope = try message.sealed(to: recipient, from: own)
    } catch let error as ShareError {
      throw CommandFailure(error)
    }
    // A serial is used up before anybody can have it.
    try await store.put(row)
    try OutputFile.writeSecret(envelope, to: file, replacing: replacing)
  }

  /// What a tracker's owner gives of some periods.
  func grant(
    of device: Device, _ periods: PeriodRange, _ rights: ShareRights, until: Int64,
    backend: String
  ) async throws -> ShareGrant {
    guard let masterKey = device.masterKey else {
      throw CommandFailure(ShareError.foreign(device.name))
    }
    let clock =
      try await store.clockStates()[device.uuid]?.interval
      ?? ClockInterval(onboardingTimestamp: device.onboardingSeconds)
    do {
      return ShareGrant(
        name: device.name, model: "", backend: backend, clock: clock,
        periods: try SharedPeriods(of: masterKey, periods: periods, rights: rights, until: until))
    } catch let error as ShareError {
      throw CommandFailure(error)
    }
  }

  // MARK: Showing

  func show(_ row: SentShareRow, _ times: ShownTimes, file: String? = nil) async throws {
    let name = try await store.allDevices().first { $0.uuid == row.tracker }?.name
    let now = Timestamp.now.unixMilliseconds / 1000
    let state = row.endedAt != nil ? "ended" : row.until <= now ? "expired" : "live"
    let line = ShareLine(
      share: row.share, isSent: true, tracker: name ?? row.tracker.description,
      contact: row.contact, rights: row.rights, periods: row.periods, serial: row.serial,
      issuedAt: row.issuedAt, until: row.until, state: state, isRenewed: row.isRenewed, file: file)
    line.append(to: output, isJSON: isJSON, times)
  }

  func show(_ row: ReceivedShareRow, _ times: ShownTimes) async throws {
    let device = try await store.allDevices().first { $0.uuid == row.device }
    let line = ShareLine(
      share: row.share, isSent: false, tracker: device?.name ?? "-",
      contact: try await sender(row.sender), rights: row.rights, periods: row.periods,
      serial: row.serial, issuedAt: row.issuedAt, until: row.until,
      state: row.device == nil ? "ended" : "live", isRenewed: false, file: nil)
    line.append(to: output, isJSON: isJSON, times)
  }
}
