import LunaCore
import LunaCrypto
import LunaProtocol

/// Opens reports with a master key.
struct ReportOpener: ~Copyable {
  /// What a report tells.
  struct Event {
    let period: UInt32
    let eid: EID
    let record: LocationRecord
    /// The status, or why it cannot be read.
    let status: Result<TrackerStatus, ESFRejection>
  }

  private var schedule: KeySchedule
  private var deriver: ReportKeyDeriver
  private var sealer: ReportSealer
  private let identification: SecretBytes
  private let location: SecretBytes
  private let control: SecretBytes

  init(_ masterKey: MasterKey) throws {
    var schedule = try KeySchedule()
    let deriver = try ReportKeyDeriver()
    let sealer = try ReportSealer()
    let keys = schedule.keys(of: masterKey)
    guard let location = keys.location, let control = keys.control else {
      throw MissingBranchError.location
    }
    identification = keys.identification
    self.location = location
    self.control = control
    self.schedule = schedule
    self.deriver = deriver
    self.sealer = sealer
  }

  /// The period that a heid stands for.
  mutating func period(of heid: HEID, in periods: some Sequence<UInt32>) -> UInt32? {
    for period in periods {
      let eid = schedule.eid(identification, period: period)
      let aotp = schedule.aotp(location, period: period)
      if deriver.heid(eid: eid, aotp: aotp) == heid { return period }
    }
    return nil
  }

  mutating func open(
    _ text: String, heid: HEID, esf: ESF, period: UInt32
  ) throws(ReportRejection) -> Event {
    let eid = schedule.eid(identification, period: period)
    let aotp = schedule.aotp(location, period: period)
    let record = try sealer.open(text, heid: heid, esf: esf, eid: eid, aotp: aotp)
    let botp = schedule.botp(control, period: period)
    let status: Result<TrackerStatus, ESFRejection>
    do throws(ESFRejection) {
      status = .success(try schedule.openStatus(esf, botp: botp))
    } catch {
      status = .failure(error)
    }
    return Event(period: period, eid: eid, record: record, status: status)
  }
}
