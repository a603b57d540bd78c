/// The common extended advertising payload (Core Specification, Vol 6, Part B, 2.3.4): length and
/// mode, then, within that length, flags, the fields that these announce in their order, and
/// additional controller data; then the advertising data.
struct ExtendedHeader {
  /// 0 neither connectable nor scannable, 1 connectable, 2 scannable.
  let mode: UInt8
  private(set) var advertiser: BluetoothAddress?
  private(set) var target: BluetoothAddress?
  /// The advertising set, 0–15.
  private(set) var sid: UInt8?
  /// The PHY of the PDU that follows; nil when none does.
  private(set) var auxiliaryPHY: PHY?
  /// In steps of 1.25 ms; 0 when there is no periodic advertising.
  private(set) var periodicInterval: UInt16 = 0
  /// dBm.
  private(set) var txPower: Int8?
  /// Where the advertising data lie.
  let data: Range<Int>

  /// Reads the header at the start of `payload`.
  ///
  /// - Returns: nil when the fields do not fit.
  init?(_ bytes: Span<UInt8>, _ payload: Range<Int>) {
    guard !payload.isEmpty else { return nil }
    let first = bytes[payload.lowerBound]
    let end = payload.lowerBound + 1 + Int(first & 0x3F)
    guard end <= payload.upperBound else { return nil }
    mode = first >> 6
    data = end..<payload.upperBound

    var position = payload.lowerBound + 1
    guard position < end else { return }
    let flags = bytes[position]
    position += 1
    /// Where the field of `bit` starts, and nil when it is not there.
    func field(_ bit: UInt8, _ count: Int) -> Int? {
      guard flags & bit != 0 else { return nil }
      defer { position += count }
      return position
    }
    let advertiser = field(0x01, 6)
    let target = field(0x02, 6)
    _ = field(0x04, 1)  // CTEInfo
    let dataInfo = field(0x08, 2)
    let pointer = field(0x10, 3)
    let sync = field(0x20, 18)
    let power = field(0x40, 1)
    guard position <= end else { return nil }

    self.advertiser = advertiser.flatMap { BluetoothAddress(littleEndian: bytes, at: $0) }
    self.target = target.flatMap { BluetoothAddress(littleEndian: bytes, at: $0) }
    sid = dataInfo.map { bytes[$0 + 1] >> 4 }
    auxiliaryPHY = pointer.map { PHY(linkLayer: bytes[$0 + 2] >> 5) }
    if let sync { periodicInterval = bytes.littleEndian(UInt16.self, at: sync + 2) }
    txPower = power.map { Int8(bitPattern: bytes[$0]) }
  }
}
