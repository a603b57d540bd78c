public import LunaCrypto
public import LunaProtocol

/// What an owner has shared of a tracker: values of some periods, and nothing that leads to others
/// (SHARING.md, 1).
public struct SharedPeriods: Equatable, Sendable {
  /// The most periods of a share: 400 days.
  public static let maximumCount = 33_750
  /// What first + count is at most.
  public static let lastEnd = 4_194_303

  /// Which periods, 1 to ``maximumCount``, the end at most ``lastEnd``.
  public let periods: PeriodRange
  /// What may be done.
  public let rights: ShareRights
  /// Until when, Unix s; after that nothing of it is used.
  public let until: Int64
  /// The records, one after the other.
  public let records: SecretBytes

  /// Values of periods.
  ///
  /// - Returns: nil where the periods are out of range, or the records are not theirs by their length.
  public init?(periods: PeriodRange, rights: ShareRights, until: Int64, records: SecretBytes) {
    guard SharedPeriods.isRange(first: Int64(periods.first), count: Int64(periods.count)),
      records.count == periods.count * rights.recordCount
    else { return nil }
    self.periods = periods
    self.rights = rights
    self.until = until
    self.records = records
  }

  /// Whether a share may have these periods.
  public static func isRange(first: Int64, count: Int64) -> Bool {
    1...Int64(maximumCount) ~= count && 0...Int64(lastEnd) - count ~= first
  }

  /// Whether it has not ended.
  ///
  /// - Parameter milliseconds: Unix ms.
  public func isLive(at milliseconds: Int64) -> Bool {
    let (end, overflows) = until.multipliedReportingOverflow(by: 1000)
    return overflows ? until > 0 : milliseconds < end
  }

  /// EID_n; nil for periods that are not shared.
  public func eid(_ period: UInt32) -> EID? {
    offset(period).flatMap { offset in records.withBytes { EID($0, at: offset) } }
  }

  /// AOTP_n; nil for periods that are not shared.
  public func aotp(_ period: UInt32) -> AOTP? {
    offset(period).flatMap { offset in
      records.withBytes { AOTP($0, at: offset + EID.byteCount) }
    }
  }

  /// Kesf_n; nil for periods that are not shared, and where the status is not.
  public func statusKey(_ period: UInt32) -> SecretBytes? {
    guard rights.status, let offset = offset(period) else { return nil }
    return records.withBytes { records in
      SecretBytes(copying: records.extracting(offset + 15..<offset + 47))
    }
  }

  /// The package that rings the tracker in a period (SHARING.md, 1): that of the largest counter that is
  /// not after `seconds`, else the first one.
  ///
  /// - Parameter seconds: Unix s; nil for the first one.
  /// - Returns: nil for periods that are not shared, and where ringing is not.
  public func ringPackage(
    _ period: UInt32, at seconds: Int64?, heids: inout ReportKeyDeriver
  ) -> ControlPackage? {
    guard let ring = rights.ring, let offset = offset(period), let eid = eid(period),
      let aotp = aotp(period)
    else { return nil }
    let start = 1024 * Int64(period)
    let elapsed = min(max((seconds ?? start) - start, 0), 1023)
    let slot = Int(elapsed) / Int(ring.spacing)
    let code = offset + 15 + (rights.status ? 32 : 0) + 16 * slot
    return records.withBytes { records in
      ControlPackage(
        deferred: .buzzStart, argument: ring.seconds, period: period,
        heid: heids.heid(eid: eid, aotp: aotp),
        counter: UInt32(start) + UInt32(slot) * ring.spacing,
        code: records.extracting(code..<code + 16))
    }
  }

  private func offset(_ period: UInt32) -> Int? {
    periods.contains(period) ? Int(period - periods.first) * rights.recordCount : nil
  }
}
