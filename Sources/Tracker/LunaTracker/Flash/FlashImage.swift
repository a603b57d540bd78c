import LunaCrypto
import LunaProtocol
public import TrackerMachine

/// What stands in the file of a tracker: its record, and what its real-time clock shows.
public struct FlashImage: Equatable, Sendable {
  /// What a tracker of hardware keeps in flash as well.
  public var record: TrackerRecord
  /// By how much the tracker's clock is ahead of the time of the host, ms. This is the battery-backed
  /// clock of a tracker in software.
  public var clockOffset: Int64

  /// An image of these parts.
  public init(record: TrackerRecord, clockOffset: Int64 = 0) {
    self.record = record
    self.clockOffset = clockOffset
  }
}

/// The file, version 1, big-endian: magic 8, version 2, flags 1 (b0 keyed, b1 clock uncertain),
/// failures 1, code 16, stored period 4, last counter 4, time of the last meeting with the owner 8,
/// clock offset 8, UUID 16, master key 32, onboarding timestamp 4, SHA-256 of all before 32.
extension FlashImage {
  static let byteCount = bodyCount + SHA256.byteCount
  static let version: UInt64 = 1
  private static let bodyCount = 104
  private static let magic = Array("LUNATRKR".utf8)

  /// The bytes; the caller wipes them.
  func encoded() throws(CryptoError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(FlashImage.byteCount)
    func append(_ value: UInt64, _ count: Int) {
      for index in 0..<count {
        bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - index))))
      }
    }
    func append(_ secret: SecretBytes) {
      secret.withBytes { span in for index in span.indices { bytes.append(span[index]) } }
    }
    let ownership = record.ownership
    bytes += FlashImage.magic
    append(FlashImage.version, 2)
    append((ownership == nil ? 0 : 1) | (record.isClockUncertain ? 2 : 0), 1)
    append(UInt64(record.failures), 1)
    append(record.code.secret)
    append(UInt64(record.storedPeriod), 4)
    append(UInt64(record.lastCounter), 4)
    append(UInt64(bitPattern: record.ownerMetAt), 8)
    append(UInt64(bitPattern: clockOffset), 8)
    append(ownership?.uuid.high ?? 0, 8)
    append(ownership?.uuid.low ?? 0, 8)
    if let ownership {
      append(ownership.masterKey.secret)
    } else {
      bytes += [UInt8](repeating: 0, count: MasterKey.byteCount)
    }
    append(UInt64(ownership?.onboardingTimestamp ?? 0), 4)
    let digest = try SHA256.digest(of: bytes.span)
    for index in digest.indices { bytes.append(digest[index]) }
    return bytes
  }

  /// Why bytes are no image.
  enum Damage: Error, Equatable {
    /// Not a file of a tracker, or one that is cut or altered.
    case damaged
    /// Of a newer version.
    case newer(UInt64)
    /// libcrypto failed.
    case crypto(CryptoError)
  }

  /// Reads the bytes of a file.
  init(_ bytes: [UInt8]) throws(Damage) {
    func number(_ offset: Int, _ count: Int) -> UInt64 {
      bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
    }
    guard bytes.count >= 10, bytes.starts(with: FlashImage.magic) else { throw .damaged }
    guard number(8, 2) <= FlashImage.version else { throw .newer(number(8, 2)) }
    guard bytes.count == FlashImage.byteCount else { throw .damaged }
    let body = bytes.span.extracting(first: FlashImage.bodyCount)
    let digest: InlineArray<32, UInt8>
    do throws(CryptoError) { digest = try SHA256.digest(of: body) } catch { throw .crypto(error) }
    guard
      constantTimeEqual(digest.span, bytes.span.extracting(FlashImage.bodyCount...)),
      let code = OnboardingCode(SecretBytes(copying: body.extracting(12..<28))),
      let key = MasterKey(SecretBytes(copying: body.extracting(68..<100)))
    else { throw .damaged }
    record = TrackerRecord(code: code)
    record.storedPeriod = UInt32(number(28, 4))
    record.lastCounter = UInt32(number(32, 4))
    record.ownerMetAt = Int64(bitPattern: number(36, 8))
    record.isClockUncertain = bytes[10] & 2 != 0
    record.failures = bytes[11]
    if bytes[10] & 1 != 0 {
      record.ownership = TrackerRecord.Ownership(
        uuid: DeviceUUID(high: number(52, 8), low: number(60, 8)), masterKey: key,
        onboardingTimestamp: UInt32(number(100, 4)))
    }
    clockOffset = Int64(bitPattern: number(44, 8))
  }
}
