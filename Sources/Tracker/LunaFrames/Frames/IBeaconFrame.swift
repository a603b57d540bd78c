public import Bluetooth

/// The frame of a LunaTracker in iBeacon mode (PROTOCOL.md, 6): a region, and the first bytes of the
/// HEID, which do to skip a tracker that was reported already, but not to deliver a command.
public struct IBeaconFrame: Hashable, Sendable {
  /// The number of bytes of an encoded frame.
  public static let byteCount = 30

  /// The power at 1 m that a tracker claims unless configured otherwise, dBm.
  public static let defaultMeasuredPower: Int8 = -59

  /// The region UUIDs of index 0 to 2 unless configured otherwise
  /// (UUIDv5, URL namespace, `urn:lunatracker:v1:region:0` to `2`).
  public static let defaultRegions: [BluetoothUUID] = [
    .bit128(high: 0x4503_5880_A27F_5EB2, low: 0x965F_DE0B_B7F4_71A6),
    .bit128(high: 0x1856_9F30_81A7_5874, low: 0xAE31_172C_33BF_F7C3),
    .bit128(high: 0x4412_AED3_23C4_5022, low: 0x9405_64E8_C0CD_9EF1),
  ]

  /// The proximity UUID, by which a phone is woken up: of many trackers the same.
  public var region: BluetoothUUID
  /// Bytes 0 to 3 of the HEID, the first one most significant: major and minor.
  public var heidPrefix: UInt32
  /// The power at 1 m, dBm.
  public var measuredPower: Int8

  /// A frame of these fields.
  public init(
    region: BluetoothUUID, heidPrefix: UInt32,
    measuredPower: Int8 = IBeaconFrame.defaultMeasuredPower
  ) {
    self.region = region
    self.heidPrefix = heidPrefix
    self.measuredPower = measuredPower
  }

  /// The 30 bytes of advertising data.
  public var encoded: InlineArray<30, UInt8> {
    var bytes: InlineArray<30, UInt8> = [
      0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]
    let (high, low) = region.halves
    bytes[29] = UInt8(bitPattern: measuredPower)
    var span = bytes.mutableSpan
    span.setBigEndian(high, at: 9, count: 8)
    span.setBigEndian(low, at: 17, count: 8)
    span.setBigEndian(UInt64(heidPrefix), at: 25, count: 4)
    return bytes
  }

  /// Decodes advertising data.
  ///
  /// - Parameters:
  ///   - bytes: the advertising data of one PDU.
  ///   - regions: the region UUIDs that are taken.
  /// - Throws: the first rule that failed.
  public init(
    advertisingData bytes: Span<UInt8>, regions: [BluetoothUUID] = IBeaconFrame.defaultRegions
  ) throws(IBeaconFrameRejection) {
    var frame: ADStructure?
    var reader = ADStructureReader()
    while let structure = reader.next(in: bytes) {
      if frame == nil, structure.type == 0xFF, structure.count >= 4,
        bytes.bigEndian(at: structure.offset, count: 4) == 0x4C00_0215
      {
        frame = structure
      }
    }
    if reader.malformed { throw .malformed }
    guard let frame else { throw .notIBeacon }
    try self.init(
      manufacturerData: bytes.extracting(frame.range.dropFirst(2)), regions: regions)
  }

  /// Decodes manufacturer data that were found already.
  ///
  /// - Parameters:
  ///   - bytes: what follows the company identifier 0x004C.
  ///   - regions: the region UUIDs that are taken.
  /// - Throws: the first rule that failed.
  public init(
    manufacturerData bytes: Span<UInt8>, regions: [BluetoothUUID] = IBeaconFrame.defaultRegions
  ) throws(IBeaconFrameRejection) {
    guard bytes.count >= 2, bytes[0] == 0x02, bytes[1] == 0x15 else { throw .notIBeacon }
    guard bytes.count == 23 else { throw .badLength }
    let region = BluetoothUUID.bit128(
      high: bytes.bigEndian(at: 2, count: 8), low: bytes.bigEndian(at: 10, count: 8))
    guard regions.contains(region) else { throw .foreignRegion }
    self.init(
      region: region,
      heidPrefix: UInt32(truncatingIfNeeded: bytes.bigEndian(at: 18, count: 4)),
      measuredPower: Int8(bitPattern: bytes[22]))
  }
}

extension BluetoothUUID {
  /// The 128 bits; short forms stand on the Bluetooth base UUID.
  fileprivate var halves: (high: UInt64, low: UInt64) {
    switch self {
    case .bit16(let value): (UInt64(value) << 32 | 0x1000, 0x8000_0080_5F9B_34FB)
    case .bit32(let value): (UInt64(value) << 32 | 0x1000, 0x8000_0080_5F9B_34FB)
    case .bit128(let high, let low): (high, low)
    }
  }
}
