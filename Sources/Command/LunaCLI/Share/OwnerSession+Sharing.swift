import Bluetooth
import Luna
import LunaCore
import LunaCrypto
import LunaDocuments
import LunaOwner
import LunaProtocol
import LunaShare
import LunaStore
import QRCodes
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

  /// What makes shares and takes them.
  ///
  /// - Parameter backend: where the owner asks for reports.
  func sharing(backend: String = "") -> TrackerSharing {
    TrackerSharing(store: store, owner: owner, backend: backend)
  }

  /// Seals a share, keeps it and writes it.
  func write(
    _ row: SentShareRow, _ sharing: TrackerSharing, to file: String, replacing: Bool
  ) async throws {
    let own = try await ownKey()
    let envelope = try await sharing.envelope(of: row, from: own)
    let content = try OwnerSession.picture(envelope, for: file) ?? envelope
    // No share is kept for which there is no room.
    let draft = try OutputFile.secretDraft(file, replacing: replacing, room: content.count)
    // A serial is used up before anybody can have it.
    try await store.put(row)
    try OutputFile.finish(draft, with: content)
  }

  /// A share as a picture of its code; nil where the file is to have the share itself.
  private static func picture(
    _ envelope: [UInt8], for file: String
  ) throws(CommandFailure) -> [UInt8]? {
    guard file.hasSuffix(".svg") || file.hasSuffix(".png") else { return nil }
    guard envelope.count <= ShareEnvelope.codeLimit else {
      throw CommandFailure(
        .usage,
        "the share has \(envelope.count) bytes, and a code has \(ShareEnvelope.codeLimit) at most",
        hint: "share to see for a day or two, or send a file")
    }
    return try CodePicture.bytes(
      of: QRCode(envelope, level: .low), for: file, title: "Share of a tracker")
  }

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
    // Whoever has forgotten the tracker gets it again by the next message of the share.
    let state = row.device == nil ? "ended" : device == nil ? "forgotten" : "live"
    let line = ShareLine(
      share: row.share, isSent: false, tracker: device?.name ?? "-",
      contact: try await sender(row.sender), rights: row.rights, periods: row.periods,
      serial: row.serial, issuedAt: row.issuedAt, until: row.until,
      state: state, isRenewed: false, file: nil)
    line.append(to: output, isJSON: isJSON, times)
  }
}
