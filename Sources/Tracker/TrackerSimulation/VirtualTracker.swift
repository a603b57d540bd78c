public import Bluetooth
public import LunaCrypto
public import TrackerMachine
public import VirtualRadio

/// A tracker in a ``VirtualRadio/VirtualRoom``: the machine, and a radio that sends what it says.
public struct VirtualTracker: VirtualAdvertiser {
  private let body: VirtualBody
  private let openedAt: Int64
  /// What decides over delays on the air.
  private var generator: SplitMix64
  /// The PDU whose scan response is heard next.
  private var asked: TrackerAdvertisement?

  /// When the next PDU is heard, µs since the room was opened.
  public private(set) var due: Int64

  /// A tracker that gets its power when the room is opened. Nobody looks at its flash: it lives as
  /// long as the room.
  ///
  /// - Parameters:
  ///   - machine: not started.
  ///   - clock: what its clock shows then, ms; nil when it was lost.
  ///   - seed: what chance decides.
  /// - Throws: ``LunaCrypto/CryptoError`` when libcrypto fails.
  public init(_ machine: TrackerMachine, clock: Int64?, seed: UInt64) throws(CryptoError) {
    self.init(
      try VirtualBody(
        machine, name: "", clock: clock, chance: .seeded(SplitMix64(seed: seed))), seed: seed)
  }

  /// - Parameter openedAt: how long the tracker had its power when the room was opened, ms.
  init(_ body: VirtualBody, seed: UInt64, openedAt: Int64 = 0) {
    self.body = body
    self.openedAt = openedAt
    generator = SplitMix64(seed: ~seed)
    due = Int64.random(in: 0..<100_000, using: &generator)
  }

  /// What is heard at ``due``; nil while somebody is connected, and without power.
  public mutating func next(isActive: Bool) -> AdvertisingReport? {
    if let asked {
      self.asked = nil
      let report = VirtualTracker.report(asked, .scanRsp, asked.scanResponse)
      plan(after: asked, sentAt: due - VirtualTracker.responseDelay)
      return report
    }
    guard let advertisement = body.advertisement(at: openedAt + due / 1000) else {
      due = body.isDead ? .max : due + VirtualTracker.silentLook
      return nil
    }
    let report = VirtualTracker.report(advertisement, advertisement.pdu, advertisement.data)
    if isActive, !advertisement.scanResponse.isEmpty {
      asked = advertisement
      due += VirtualTracker.responseDelay
    } else {
      plan(after: advertisement, sentAt: due)
    }
    return report
  }

  /// How often is looked whether a tracker that somebody is connected to sends again, µs.
  private static let silentLook: Int64 = 100_000
  /// The request, the response and the pauses between them, µs.
  private static let responseDelay: Int64 = 590

  /// Goes on to the next PDU; a change in between sends one of the new kind at once.
  private mutating func plan(after advertisement: TrackerAdvertisement, sentAt sent: Int64) {
    let delay = Int64.random(in: 0...1000 * advertisement.intervalDelay, using: &generator)
    due = sent + 1000 * advertisement.interval + delay
    guard let change = body.change(upTo: openedAt + due / 1000) else { return }
    due =
      max(sent + 1000, 1000 * (change - openedAt)) + Int64.random(in: 0...10_000, using: &generator)
  }

  private static func report(
    _ advertisement: TrackerAdvertisement, _ pdu: PDUType, _ data: [UInt8]
  ) -> AdvertisingReport {
    var report = AdvertisingReport(
      time: .unknown, adapter: nil, address: advertisement.address, addressType: .random,
      payload: AdvertisingPayload(data), rssi: nil)
    report.setLegacyPDU(pdu)
    return report
  }
}
