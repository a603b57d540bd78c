import Bluetooth
import LunaCrypto
import LunaProtocol

extension TrackerMachine {
  /// Complete local name "Luna", the same for all trackers.
  private static let scanResponse: [UInt8] = [0x05, 0x09] + Array("Luna".utf8)

  /// What is to be on air now (PROTOCOL.md, 5 to 8).
  func makeAdvertisement(at uptime: Int64) throws(CryptoError) -> TrackerAdvertisement? {
    guard let show else { return nil }
    // The times of section 5 grow with the speed; it is the same to let its clock run slower.
    let slot = ModeSchedule.slot(clock: time(at: uptime) / clock.speed, phase: show.phase)
    let wantsConnection = slot.isConnectable || buttonPressedAt != nil
    let isConnectable = slot.mode == .frame && wantsConnection
    let isBeacon = slot.mode == .iBeacon
    return TrackerAdvertisement(
      address: show.address, pdu: isConnectable ? .advInd : .advNonconnInd,
      data: isBeacon
        ? beacon(show, region: slot.region)
        : try frame(show, isConnectable: isConnectable, at: uptime),
      scanResponse: isConnectable ? TrackerMachine.scanResponse : [],
      interval: isBeacon ? ModeSchedule.iBeaconInterval : ModeSchedule.frameInterval,
      intervalDelay: isBeacon ? 0 : ModeSchedule.frameIntervalDelay, period: show.period,
      mode: slot.mode, region: isBeacon ? slot.region : nil, eid: show.eid, heid: show.heid)
  }

  private func beacon(_ show: TrackerShow, region: Int) -> [UInt8] {
    let frame = IBeaconFrame(
      region: hardware.regions[region % max(1, hardware.regions.count)],
      heidPrefix: show.heid.prefix, measuredPower: hardware.measuredPower)
    let bytes = frame.encoded
    return bytes.indices.map { bytes[$0] }
  }

  private func frame(
    _ show: TrackerShow, isConnectable: Bool, at uptime: Int64
  ) throws(CryptoError) -> [UInt8] {
    let isSeparated = isSeparated(at: uptime)
    let esf: ESF
    if let botp = show.botp {
      let status = TrackerStatus(
        battery: battery, isConnectable: isConnectable, isSeparated: isSeparated,
        isSounding: soundUntil != nil, isClockUncertain: record.isClockUncertain,
        hasFault: hasFault)
      var schedule = try KeySchedule()
      esf = schedule.sealStatus(status, botp: botp)
    } else {
      esf = try record.code.factoryHint()
    }
    let frame = LunaFrame(
      companyIdentifier: hardware.companyIdentifier, isConnectable: isConnectable,
      isOnboardable: record.state == .factory, isSeparated: isSeparated,
      keyRollingCounter: keys == nil ? 0 : UInt8(truncatingIfNeeded: show.period),
      eid: show.eid, aotp: show.aotp, esf: esf)
    let bytes = frame.encoded
    return bytes.indices.map { bytes[$0] }
  }
}
