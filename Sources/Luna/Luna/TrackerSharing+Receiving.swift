package import Bluetooth
import EventLoop
package import LunaCore
package import LunaCrypto
import LunaProtocol
import LunaShare
package import LunaStore
import SafeText

// What others share.

extension TrackerSharing {
  /// Opens what somebody else has sent.
  ///
  /// - Parameters:
  ///   - own: one's own private key.
  ///   - isOnlyLooking: whether also what is not newer than what is here is opened.
  /// - Throws: `ShareRejection`, the first test that failed; `DeviceStoreError`.
  package func open(
    _ envelope: [UInt8], as own: SecretBytes, isOnlyLooking: Bool = false
  ) async throws -> OpenedShare {
    let contacts = try await store.contacts()
    let known = try await store.receivedShares()
    let (sender, message) = try await Blocking.run { () throws(ShareRejection) in
      try ShareMessage.open(
        envelope, to: own, from: contacts.compactMap { ContactKey($0.key) }
      ) { sender, share in
        guard !isOnlyLooking else { return 0 }
        return known.first { $0.sender == sender.bytes && $0.share == share }?.serial ?? 0
      }
    }
    return OpenedShare(
      message: message, sender: sender,
      contact: contacts.first { $0.key == sender.bytes }?.name ?? "-",
      former: known.first { $0.sender == sender.bytes && $0.share == message.share })
  }

  /// Where reports of what somebody shares are asked for by its owner, when that is another backend than one's own: then
  /// none can be read here. It is only compared, never contacted.
  ///
  /// - Parameter theirs: what the owner says.
  /// - Returns: that; nil where it is the same one, or nothing is said.
  package func otherBackend(than theirs: String) -> String? {
    func plain(_ address: String) -> Substring {
      var rest = address.lowercased()[...]
      while rest.last == "/" { rest.removeLast() }
      return rest
    }
    guard !theirs.isEmpty, plain(theirs) != plain(backend) else { return nil }
    return EscapedText.line(String(String.UnicodeScalarView(theirs.unicodeScalars.prefix(200))))
  }

  /// Until when the end of a share is to be remembered, Unix s: as long as something that was made before it may still
  /// come and last. What was here may have been the shorter of two; of a share that was never here nobody says anything.
  private static func memory(of end: ShareMessage, after former: ReceivedShareRow?) -> Int64 {
    let latest = Int64(UInt32.max)
    guard let former else { return latest }
    let made = min(max(0, end.issuedAt), latest - TrackerSharing.longest)
    return max(former.until, made + TrackerSharing.longest)
  }

  /// Takes it: the tracker becomes a device until the share ends, or is none any more.
  ///
  /// - Throws: `ShareError` where it is over; `ShareRejection` where something newer has come meanwhile;
  ///   `DeviceStoreError`.
  /// - Returns: what is kept of the share, and the device that it has become.
  package func take(
    _ opened: OpenedShare, at now: Timestamp
  ) async throws -> (row: ReceivedShareRow, device: Device?) {
    let (message, former) = (opened.message, opened.former)
    var row = ReceivedShareRow(
      sender: opened.sender.bytes, share: message.share, serial: message.serial,
      until: TrackerSharing.memory(of: message, after: former), device: nil,
      rights: former?.rights ?? ShareRights(),
      periods: former?.periods ?? PeriodRange(first: 1, last: 0), model: former?.model ?? "",
      backend: former?.backend ?? "", issuedAt: message.issuedAt)
    var device: Device?
    if let grant = message.grant {
      let periods = grant.periods
      guard periods.isLive(at: now.unixMilliseconds) else { throw ShareError.over(opened.contact) }
      let uuid = try ReceivedShare.device(sender: opened.sender, share: message.share)
      // What one calls it oneself stays when it is made anew.
      let present = try await store.allDevices().first { $0.uuid == uuid }?.name
      let name = String(String.UnicodeScalarView(grant.name.unicodeScalars.prefix(100)))
      device = Device(
        uuid: uuid, keys: .lunaShared(periods),
        onboardingTimestamp: Timestamp(
          unixMilliseconds: Int64(periods.periods.first) * 1_024_000),
        name: present ?? EscapedText.line("\(name) of \(opened.contact)"))
      row.until = periods.until
      row.device = uuid
      row.rights = periods.rights
      row.periods = periods.periods
      row.model = grant.model
      row.backend = grant.backend
    }
    guard try await store.take(row, as: device, clock: message.grant?.clock) else {
      throw ShareRejection.serial
    }
    return (row, device)
  }
}
