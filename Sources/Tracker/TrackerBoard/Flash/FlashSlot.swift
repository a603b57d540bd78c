import LunaCrypto
import LunaProtocol
import TrackerMachine

/// The place of one record in a page, big-endian: CRC-32 4, of what follows up to the end of the record; sequence 4,
/// length 1; version 1, flags 1 (b0 keyed, b1 clock uncertain), failures 1, code 16; and where it is keyed stored period
/// 4, last counter 4, time of the last meeting with the owner 8, UUID 16, master key 32, onboarding timestamp 4. What is
/// left stays erased.
enum FlashSlot {
  /// What stands there.
  enum Content {
    /// Nothing: it can be written.
    case blank
    /// Something that was cut off, or of somebody else.
    case damaged
    /// A record of a later firmware.
    case newer(sequence: UInt32)
    case record(TrackerRecord, sequence: UInt32)
  }

  /// A multiple of what any flash writes at once, but for 256 bytes of those behind SPI.
  static let byteCount = 128
  private static let erased: UInt8 = 0xFF
  private static let bodyStart = 9
  private static let factoryCount = 19
  private static let keyedCount = 87
  private static let version: UInt8 = 1

  /// The bytes; the caller wipes them.
  static func encoded(_ record: TrackerRecord, sequence: UInt32) -> [UInt8] {
    var bytes = [UInt8](repeating: erased, count: byteCount)
    var end = 4
    func put(_ value: UInt64, _ count: Int) {
      for index in 0..<count {
        bytes[end] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - index)))
        end += 1
      }
    }
    func put(_ secret: SecretBytes) {
      secret.withBytes { span in
        for index in span.indices {
          bytes[end] = span[index]
          end += 1
        }
      }
    }
    let ownership = record.ownership
    put(UInt64(sequence), 4)
    put(UInt64(ownership == nil ? factoryCount : keyedCount), 1)
    put(UInt64(version), 1)
    put((ownership == nil ? 0 : 1) | (record.isClockUncertain ? 2 : 0), 1)
    put(UInt64(record.failures), 1)
    put(record.code.secret)
    if let ownership {
      put(UInt64(record.storedPeriod), 4)
      put(UInt64(record.lastCounter), 4)
      put(UInt64(bitPattern: record.ownerMetAt), 8)
      put(ownership.uuid.high, 8)
      put(ownership.uuid.low, 8)
      put(ownership.masterKey.secret)
      put(UInt64(ownership.onboardingTimestamp), 4)
    }
    let checksum = CRC32.checksum(of: bytes.span.extracting(4..<end))
    end = 0
    put(UInt64(checksum), 4)
    return bytes
  }

  /// Reads the bytes of a place.
  static func content(of bytes: Span<UInt8>) -> Content {
    if isBlank(bytes) { return .blank }
    guard bytes.count == byteCount else { return .damaged }
    let end = bodyStart + Int(bytes[8])
    guard end > bodyStart, end <= byteCount,
      number(bytes, 0, 4) == UInt64(CRC32.checksum(of: bytes.extracting(4..<end)))
    else { return .damaged }
    let sequence = UInt32(truncatingIfNeeded: number(bytes, 4, 4))
    guard bytes[bodyStart] <= version else { return .newer(sequence: sequence) }
    guard let record = record(in: bytes.extracting(bodyStart..<end)) else { return .damaged }
    return .record(record, sequence: sequence)
  }

  static func isBlank(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices where bytes[index] != erased { return false }
    return true
  }

  private static func record(in body: Span<UInt8>) -> TrackerRecord? {
    guard body.count == factoryCount || body.count == keyedCount,
      let code = OnboardingCode(SecretBytes(copying: body.extracting(3..<19)))
    else { return nil }
    var record = TrackerRecord(code: code)
    record.failures = body[2]
    record.isClockUncertain = body[1] & 2 != 0
    guard body[1] & 1 != 0 else { return body.count == factoryCount ? record : nil }
    guard body.count == keyedCount,
      let key = MasterKey(SecretBytes(copying: body.extracting(51..<83)))
    else { return nil }
    record.storedPeriod = UInt32(truncatingIfNeeded: number(body, 19, 4))
    record.lastCounter = UInt32(truncatingIfNeeded: number(body, 23, 4))
    record.ownerMetAt = Int64(bitPattern: number(body, 27, 8))
    record.ownership = TrackerRecord.Ownership(
      uuid: DeviceUUID(high: number(body, 35, 8), low: number(body, 43, 8)), masterKey: key,
      onboardingTimestamp: UInt32(truncatingIfNeeded: number(body, 83, 4)))
    return record
  }

  private static func number(_ bytes: Span<UInt8>, _ offset: Int, _ count: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in offset..<offset + count { value = value << 8 | UInt64(bytes[index]) }
    return value
  }
}
