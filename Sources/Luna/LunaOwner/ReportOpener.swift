import LunaCore
import LunaCrypto
package import LunaProtocol

/// Opens reports with a master key.
package struct ReportOpener: ~Copyable {
  /// What a report tells.
  package struct Event {
    package let period: UInt32
    package let eid: EID
    package let record: LocationRecord
    /// The status, or why it cannot be read.
    package let status: Result<TrackerStatus, ESFRejection>

    package init(
      period: UInt32, eid: EID, record: LocationRecord, status: Result<TrackerStatus, ESFRejection>
    ) {
      self.period = period
      self.eid = eid
      self.record = record
      self.status = status
    }
  }

  private var schedule: KeySchedule
  private var deriver: ReportKeyDeriver
  private var sealer: ReportSealer
  private let identification: SecretBytes
  private let location: SecretBytes
  private let control: SecretBytes

  package init(_ masterKey: MasterKey) throws {
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
  package mutating func period(of heid: HEID, in periods: some Sequence<UInt32>) -> UInt32? {
    for period in periods {
      let eid = schedule.eid(identification, period: period)
      let aotp = schedule.aotp(location, period: period)
      if deriver.heid(eid: eid, aotp: aotp) == heid { return period }
    }
    return nil
  }

  package mutating func open(
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
