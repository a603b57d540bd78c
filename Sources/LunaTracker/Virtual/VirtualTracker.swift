public import Bluetooth
public import LunaCrypto
public import VirtualRadio

/// A tracker in a ``VirtualRoom``: the machine, and a radio that sends what it says.
public struct VirtualTracker: VirtualAdvertiser {
  /// What the machine draws from.
  private var generator: SplitMix64
  private var machine: TrackerMachine
  private var count = 0
  /// The PDU whose scan response is heard next.
  private var asked: TrackerAdvertisement?

  /// When the next PDU is heard, µs since the room was opened.
  public private(set) var due: Int64

  /// A tracker that gets its power when the room is opened.
  ///
  /// - Parameters:
  ///   - machine: not started.
  ///   - clock: what its clock shows then, ms; nil when it was lost.
  ///   - seed: what chance decides.
  /// - Throws: ``CryptoError`` when libcrypto fails.
  public init(_ machine: TrackerMachine, clock: Int64?, seed: UInt64) throws(CryptoError) {
    generator = SplitMix64(seed: seed)
    self.machine = machine
    // Nobody looks at the flash of a simulated tracker: it lives as long as the room.
    _ = try self.machine.start(at: 0, clock: clock, using: &generator)
    due = Int64.random(in: 0..<100_000, using: &generator)
  }

  /// What is heard at ``due``.
  public mutating func next(isActive: Bool) -> AdvertisingReport {
    if let asked {
      self.asked = nil
      let report = VirtualTracker.report(asked, .scanRsp, asked.scanResponse)
      advance(from: due - VirtualTracker.responseDelay)
      return report
    }
    guard let advertisement = machine.advertisement else {
      // It has not started, which the initialiser rules out.
      due += 1_000_000
      return AdvertisingReport(
        time: .unknown, adapter: nil, address: BluetoothAddress(value: 0), addressType: .random,
        payload: AdvertisingPayload(), rssi: nil)
    }
    let report = VirtualTracker.report(advertisement, advertisement.pdu, advertisement.data)
    if isActive, !advertisement.scanResponse.isEmpty {
      asked = advertisement
      due += VirtualTracker.responseDelay
    } else {
      advance(from: due)
    }
    return report
  }

  /// The request, the response and the pauses between them, µs.
  private static let responseDelay: Int64 = 590

  /// Goes on to the next PDU; a change in between sends one of the new kind at once.
  private mutating func advance(from sent: Int64) {
    guard let advertisement = machine.advertisement else { return }
    let delay = Int64.random(in: 0...1000 * advertisement.intervalDelay, using: &generator)
    due = sent + 1000 * advertisement.interval + delay
    while let deadline = machine.nextDeadline, 1000 * deadline <= due {
      // Errors of libcrypto leave on air what is there: it worked when the room was opened.
      _ = try? machine.handle(.timePassed, at: deadline, using: &generator)
      if machine.advertisement != advertisement {
        due = max(sent + 1000, 1000 * deadline) + Int64.random(in: 0...10_000, using: &generator)
        // A change within these 10 ms has to come before the PDU as well.
        while let next = machine.nextDeadline, 1000 * next <= due {
          _ = try? machine.handle(.timePassed, at: next, using: &generator)
        }
        return
      }
    }
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
