public import LunaCore
import LunaCrypto
public import LunaProtocol

extension SharedPeriods {
  /// Derives what is shared of some periods (SHARING.md, 1).
  ///
  /// - Parameters:
  ///   - masterKey: the tracker's; nothing of it is in the result.
  ///   - until: until when, Unix s.
  /// - Throws: ``LunaShare/ShareError`` of kind `range` or `size`; ``LunaCrypto/CryptoError``.
  public init(
    of masterKey: MasterKey, periods: PeriodRange, rights: ShareRights, until: Int64
  ) throws {
    guard SharedPeriods.isRange(first: Int64(periods.first), count: Int64(periods.count)) else {
      throw ShareError.range
    }
    // Said before all of it is derived for nothing.
    guard periods.count * rights.recordCount <= ShareEnvelope.limit else { throw ShareError.size }
    var schedule = try KeySchedule()
    var authenticator = try ControlAuthenticator()
    let keys = schedule.keys(of: masterKey)
    guard let location = keys.location, let control = keys.control else {
      throw MissingBranchError.location
    }
    var records: [UInt8] = []
    records.reserveCapacity(periods.count * rights.recordCount)
    defer { wipe(&records) }
    for period in periods.first...periods.last {
      let eid = schedule.eid(keys.identification, period: period).bytes
      for index in eid.indices { records.append(eid[index]) }
      let aotp = schedule.aotp(location, period: period).bytes
      for index in aotp.indices { records.append(aotp[index]) }
      if rights.status {
        let key = schedule.statusKey(botp: schedule.botp(control, period: period))
        key.withBytes { for index in $0.indices { records.append($0[index]) } }
      }
      guard let ring = rights.ring else { continue }
      for slot in 0..<UInt32(ring.perPeriod) {
        let package = try authenticator.deferredPackage(
          .buzzStart, argument: ring.seconds, counter: 1024 * period + slot * ring.spacing,
          period: period, keys: keys)
        for index in 28..<44 { records.append(package.bytes[index]) }
      }
    }
    guard
      let made = SharedPeriods(
        periods: periods, rights: rights, until: until,
        records: SecretBytes(copying: records.span))
    else { throw ShareError.range }
    self = made
  }
}
