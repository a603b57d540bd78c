import LunaCore
import LunaCrypto
import LunaProtocol

/// What a tracker is called in a period, and what opens its status: derived by its owner, or looked up in
/// what an owner has shared.
enum PeriodValues {
  case own(identification: SecretBytes, location: SecretBytes, control: SecretBytes)
  case shared(SharedPeriods)

  /// The values of a device.
  ///
  /// - Returns: nil for devices of other makers.
  init?(_ device: Device, _ schedule: inout KeySchedule) {
    if let shared = device.shared {
      self = .shared(shared)
    } else if let masterKey = device.masterKey {
      let keys = schedule.keys(of: masterKey)
      guard let location = keys.location, let control = keys.control else { return nil }
      self = .own(identification: keys.identification, location: location, control: control)
    } else {
      return nil
    }
  }

  /// The periods of some that it has values for.
  func within(_ periods: PeriodRange) -> PeriodRange {
    guard case .shared(let shared) = self else { return periods }
    return PeriodRange(
      first: max(periods.first, shared.periods.first), last: min(periods.last, shared.periods.last))
  }

  /// EID_n and AOTP_n; nil for periods without values.
  func identifiers(_ period: UInt32, _ schedule: inout KeySchedule) -> (EID, AOTP)? {
    switch self {
    case .own(let identification, let location, _):
      return (
        schedule.eid(identification, period: period), schedule.aotp(location, period: period)
      )
    case .shared(let shared):
      guard let eid = shared.eid(period), let aotp = shared.aotp(period) else { return nil }
      return (eid, aotp)
    }
  }

  /// The status in a report; `auth` also where the status was not shared.
  func status(
    _ esf: ESF, _ period: UInt32, _ schedule: inout KeySchedule
  ) -> Result<TrackerStatus, ESFRejection> {
    do throws(ESFRejection) {
      switch self {
      case .own(_, _, let control):
        let botp = schedule.botp(control, period: period)
        return .success(try schedule.openStatus(esf, botp: botp))
      case .shared(let shared):
        guard let key = shared.statusKey(period) else { return .failure(.auth) }
        return .success(try schedule.openStatus(esf, statusKey: key))
      }
    } catch {
      return .failure(error)
    }
  }
}
