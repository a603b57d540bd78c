import Bluetooth

/// One advertiser of the room: its blueprint, and what chance made of it so far.
struct BlueprintAdvertiser: VirtualAdvertiser {
  let blueprint: Blueprint
  private var generator: SplitMix64
  private var identity: [UInt8]
  private(set) var address: BluetoothAddress
  private var count = 0
  /// When the identity changes, µs since the room was opened; nil for never.
  private var rotatesAt: Int64?
  /// When it is heard next, µs since the room was opened.
  private(set) var due: Int64
  /// Whether that is the scan response to the advertisement before.
  private var respondsNext = false

  init(_ blueprint: Blueprint, seed: UInt64) {
    self.blueprint = blueprint
    generator = SplitMix64(seed: seed)
    identity = generator.bytes(32)
    address = blueprint.addressKind.draw(using: &generator)
    if let rotation = blueprint.rotation {
      let first = blueprint.firstRotation ?? Int64.random(in: 1...rotation, using: &generator)
      rotatesAt = 1_000_000 * first
    }
    due = Int64.random(in: 0..<1000 * blueprint.interval, using: &generator)
  }

  /// What is heard at `due`; moves on to what comes next.
  mutating func next(isActive: Bool) -> AdvertisingReport? {
    if !respondsNext { rotateIfDue() }
    let moment = Blueprint.Moment(
      identity: identity, address: address, elapsed: due, count: count)
    let data = respondsNext ? blueprint.scanResponse?(moment) ?? [] : blueprint.data(moment)
    var report = AdvertisingReport(
      time: .unknown, adapter: nil, address: address,
      addressType: blueprint.addressKind.addressType, payload: AdvertisingPayload(data), rssi: nil)
    if respondsNext {
      report.setLegacyPDU(.scanRsp)
    } else if blueprint.pdu == .advExtInd {
      // Neither connectable nor scannable, data complete.
      report.setExtendedEventType(0x0000)
      report.primaryPHY = .le1M
      report.secondaryPHY = .le2M
      report.sid = 3
      report.txPower = 8
    } else {
      report.setLegacyPDU(blueprint.pdu)
    }
    advance(isActive: isActive)
    return report
  }

  private mutating func advance(isActive: Bool) {
    if !respondsNext, isActive, blueprint.scanResponse != nil {
      // The request, the response and the pauses between them.
      respondsNext = true
      due += 590
    } else {
      respondsNext = false
      count += 1
      // The random delay of the specification, 0 to 10 ms.
      let delay = Int64.random(in: 0...10_000, using: &generator)
      due += 1000 * blueprint.interval + delay
    }
  }

  private mutating func rotateIfDue() {
    guard let rotation = blueprint.rotation, let time = rotatesAt, due >= time else { return }
    rotatesAt = time + 1_000_000 * rotation
    identity = generator.bytes(32)
    if blueprint.rotatesAddress { address = blueprint.addressKind.draw(using: &generator) }
  }
}
