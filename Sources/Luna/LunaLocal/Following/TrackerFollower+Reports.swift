import Beacons
package import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol

/// From a report to the device behind it.
extension TrackerFollower {
  /// Takes a report.
  ///
  /// - Parameter updates: Gets what happened to devices by it, or by the time that has passed.
  package func receive(_ report: AdvertisingReport, into updates: inout [LocalUpdate]) {
    counters.reports += 1
    if report.time != .unknown, report.time != now {
      now = report.time
      time = configuration.time(now).unixMilliseconds
      advance(to: now, into: &updates)
    }
    // Without any time there are no periods.
    guard now != .unknown else { return }
    if !tracked.isEmpty { refresh() }
    if search != nil { searchOn() }
    switch decode(report) {
    case .luna(let frame):
      receive(frame, report, into: &updates)
    case .iBeacon(let frame): receive(frame, report, into: &updates)
    case .other:
      if followsOthers { receiveOther(report, into: &updates) }
      if !resolvers.isEmpty { receiveResolvable(report, into: &updates) }
    }
  }

  private enum Decoded {
    case luna(LunaFrame)
    case iBeacon(IBeaconFrame)
    case other
  }

  private func decode(_ report: AdvertisingReport) -> Decoded {
    report.payload.withBytes { bytes in
      let reason: LunaFrameRejection
      do throws(LunaFrameRejection) {
        return .luna(
          try LunaFrame(advertisingData: bytes, companies: configuration.companies))
      } catch {
        reason = error
      }
      do throws(IBeaconFrameRejection) {
        return .iBeacon(
          try IBeaconFrame(advertisingData: bytes, regions: configuration.regions))
      } catch {
        // Only now: bluetoothd gives an iBeacon frame with the services of the tracker's other frame.
        if reason != .foreignCompany || TrackerFollower.isLikeAFrame(bytes) { refuse(reason) }
        return .other
      }
    }
  }

  /// Whether manufacturer data of any company have the form of a frame: things of all makers list 0x1804.
  private static func isLikeAFrame(_ bytes: Span<UInt8>) -> Bool {
    var reader = ADStructureReader()
    while let structure = reader.next(in: bytes) {
      if structure.type == 0xFF, structure.count == 2 + LunaFrame.manufacturerDataCount,
        bytes[structure.offset + 2] >> 4 == LunaFrame.protocolVersion
      {
        return true
      }
    }
    return false
  }

  /// Counts what looks like a LunaTracker and is not taken.
  private func refuse(_ reason: LunaFrameRejection) {
    switch reason {
    case .malformed, .noService, .noManufacturerData: return
    case .foreignCompany: tell(.foreignCompany)
    case .unsupportedVersion: tell(.unsupportedVersion)
    case .badLength, .reservedBit, .zeroIdentifier: break
    }
    counters.refused[reason, default: 0] += 1
  }

  private func receive(
    _ frame: LunaFrame, _ report: AdvertisingReport, into updates: inout [LocalUpdate]
  ) {
    var heard = Heard(report: report)
    heard.key = frame.eid.value
    heard.frame = frame
    guard !frame.isOnboardable else { return sightForeign(heard, into: &updates) }
    if sightTracked(heard, .luna, into: &updates) { return }
    let isNew = unknown.hear(
      frame.eid.value, .luna, counter: frame.keyRollingCounter, at: now)
    if isNew || search == nil { searchOn() }
    if unknown.entries[frame.eid.value] == nil, sightTracked(heard, .luna, into: &updates) {
      return
    }
    sightForeign(heard, into: &updates)
  }

  /// An iBeacon frame comes from the address of the BLE frames; where those were not heard yet, the
  /// prefix of the HEID tells.
  private func receive(
    _ frame: IBeaconFrame, _ report: AdvertisingReport, into updates: inout [LocalUpdate]
  ) {
    let heard = Heard(report: report)
    if let address = heard.addressKey, let number = addresses[address],
      !hasEnded(tracked[Int(number)])
    {
      return sight(tracked[Int(number)], nil, heard, into: &updates)
    }
    var cursor = prefixes.cursor(for: UInt64(frame.heidPrefix))
    var isOwn = false
    while let entry = prefixes.next(UInt64(frame.heidPrefix), after: &cursor) {
      let device = tracked[Int(entry.device)]
      guard device.prefixes.contains(entry.period), !hasEnded(device) else { continue }
      sight(device, nil, heard, into: &updates)
      isOwn = true
    }
    if !isOwn { sightForeign(heard, into: &updates) }
  }

  /// Tells the devices that an identifier belongs to; false when there are none.
  private func sightTracked(
    _ heard: Heard, _ kind: DeviceKind, into updates: inout [LocalUpdate]
  ) -> Bool {
    guard let key = heard.key else { return false }
    var cursor = index.cursor(for: key)
    var isKnown = false
    while let entry = index.next(key, after: &cursor) {
      let device = tracked[Int(entry.device)]
      guard device.device.keys.kind.sends == kind, device.isCandidate(entry.period),
        !hasEnded(device)
      else { continue }
      var heard = heard
      if DerivationChunk.byteCount(device.device.keys) > 0,
        let whole = identifier(device, entry.period)
      {
        // The index knows the first bytes; a device near its owner does not show more.
        guard heard.identifier.isEmpty || heard.identifier.elementsEqual(whole) else { continue }
        heard.identifier = Array(whole)
      }
      if let frame = heard.frame,
        frame.keyRollingCounter != UInt8(truncatingIfNeeded: entry.period)
      {
        continue
      }
      if observe(device, entry.period, heard, into: &updates) { isKnown = true }
    }
    return isKnown
  }

  /// A share ends at its second, and who is forgotten is nobody's, whatever the index still holds.
  private func hasEnded(_ device: TrackedDevice) -> Bool {
    guard !device.isForgotten else { return true }
    guard let shared = device.device.shared else { return false }
    return !shared.isLive(at: time)
  }

  /// The whole identifier that an entry of the index stands for.
  private func identifier(_ device: TrackedDevice, _ period: UInt32) -> ArraySlice<UInt8>? {
    let isSecond =
      device.device.keys.kind == .appleFindMy && period & IdentifierKey.secondSequence != 0
    return deriver.slow.identifier(
      device.device, sequence: isSecond ? 1 : 0,
      period: isSecond ? period & ~IdentifierKey.secondSequence : period)
  }

  private func receiveOther(_ report: AdvertisingReport, into updates: inout [LocalUpdate]) {
    beacons.removeAll(keepingCapacity: true)
    decoder.decode(report, into: &beacons)
    for beacon in beacons {
      var heard = Heard(report: report)
      let kind: DeviceKind
      switch beacon {
      case .eddystoneEID(let frame):
        kind = .eddystoneEID
        heard.identifier = frame.eid.bytes.indices.map { frame.eid.bytes[$0] }
        heard.key = IdentifierKey.leading(heard.identifier)
      case .googleFindHub(let frame):
        kind = .googleFindHub
        heard.identifier = frame.withEID { bytes in bytes.indices.map { bytes[$0] } }
        heard.key = IdentifierKey.leading(heard.identifier)
      case .appleFindMy(let frame):
        guard report.addressType == .random else { continue }
        kind = .appleFindMy
        heard.identifier =
          frame.publicKey.map { key in key.bytes.indices.map { key.bytes[$0] } } ?? []
        heard.key = IdentifierKey.findMy(address: report.address.value)
      default: continue
      }
      guard let key = heard.key, !sightTracked(heard, kind, into: &updates) else { continue }
      _ = unknown.hear(key, kind, counter: nil, at: now)
      searchOn()
      if unknown.entries[key] == nil { _ = sightTracked(heard, kind, into: &updates) }
    }
  }

  private func receiveResolvable(_ report: AdvertisingReport, into updates: inout [LocalUpdate]) {
    guard report.addressType == .random, report.address.randomKind == .resolvable else { return }
    let address = report.address.value
    let number: UInt32
    if let known = resolved[address] {
      number = known
    } else {
      let match = resolvers.first { deriver.resolves(report.address, tracked[$0]) }
      number = match.map { tracked[$0].number } ?? .max
      // Strangers' addresses change without end.
      if resolved.count >= 65_536 { resolved.removeAll(keepingCapacity: true) }
      resolved[address] = number
    }
    guard number != .max, !hasEnded(tracked[Int(number)]) else { return }
    var heard = Heard(report: report)
    heard.key = address
    sight(tracked[Int(number)], nil, heard, into: &updates)
  }
}
