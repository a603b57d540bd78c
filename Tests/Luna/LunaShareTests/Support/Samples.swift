import Bluetooth
import LunaCore
import LunaCrypto
import LunaJSON
import LunaProtocol
import LunaShare

/// Anna shares a tracker with Ben; Carl is another contact of Ben's.
enum Samples {
  static let masterKey = MasterKey(bytes: InlineArray { UInt8($0) })
  static let period: UInt32 = 1_660_156
  /// 6BA7B810-9DAD-41D1-80B4-00C04FD430C8
  static let share = DeviceUUID(high: 0x6BA7_B810_9DAD_41D1, low: 0x80B4_00C0_4FD4_30C8)
  static let until: Int64 = 1_700_200_000

  static func secret(_ first: UInt8) -> SecretBytes {
    let bytes = (0..<32).map { first &+ $0 }
    return SecretBytes(copying: bytes.span)
  }

  static let anna = secret(0x40)
  static let ben = secret(0)
  static let carl = secret(0x60)

  static func key(_ secret: SecretBytes) throws -> ContactKey { try ContactKey(of: secret) }

  static func bytes(_ secret: SecretBytes) -> [UInt8] {
    secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }

  static func periods(
    count: UInt32 = 3, rights: ShareRights = ShareRights()
  ) throws -> SharedPeriods {
    try SharedPeriods(
      of: masterKey, periods: PeriodRange(first: period, last: period + count - 1), rights: rights,
      until: until)
  }

  static let all = ShareRights(status: true, ring: RingRight(seconds: 12, perPeriod: 4))

  static func message(
    serial: Int64 = 1, rights: ShareRights = ShareRights()
  ) throws -> ShareMessage {
    ShareMessage(
      share: share, serial: serial, issuedAt: 1_700_000_000,
      grant: ShareGrant(
        name: "Fahrrad", model: "Luna 1", backend: "https://luna.example",
        clock: ClockInterval(low: -2000, high: 1000, time: 1_700_000_000_000),
        periods: try periods(rights: rights)))
  }

  /// An envelope from Anna to Ben of any header and records.
  static func envelope(_ header: JSONValue, records: [UInt8] = []) throws -> [UInt8] {
    try envelope(header.bytes, records: records)
  }

  static func envelope(_ header: [UInt8], records: [UInt8] = []) throws -> [UInt8] {
    let count = [24, 16, 8, 0].map { UInt8(header.count >> $0 & 255) }
    return try envelope(plaintext: count + header + records)
  }

  static func envelope(plaintext: [UInt8], from sender: SecretBytes = anna) throws -> [UInt8] {
    try ShareEnvelope.seal(
      plaintext.span, to: try key(ben), from: sender, ephemeral: secret(0x20))
  }

  /// What Ben makes of it.
  static func open(
    _ envelope: [UInt8], as recipient: SecretBytes = ben, last: Int64 = 0
  ) throws(ShareRejection) -> (sender: ContactKey, message: ShareMessage) {
    let senders = [carl, anna].compactMap { try? ContactKey(of: $0) }
    return try ShareMessage.open(envelope, to: recipient, from: senders) { sender, share in
      sender == senders[1] && share == Samples.share ? last : 0
    }
  }

  static func rejection(
    _ envelope: [UInt8], as recipient: SecretBytes = ben, last: Int64 = 0
  ) -> ShareRejection? {
    do throws(ShareRejection) {
      _ = try open(envelope, as: recipient, last: last)
      return nil
    } catch {
      return error
    }
  }
}
