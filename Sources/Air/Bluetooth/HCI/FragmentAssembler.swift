/// Puts the fragments of extended advertisements together: reports of the same adapter, address,
/// address type and advertising set, until one says that its data are complete or cut off
/// (Core Specification, Vol 4, Part E, 7.7.65.13).
public struct FragmentAssembler: Sendable {
  /// Advertisements that may be unfinished at one time; the oldest gives way.
  public static let capacity = 64

  private var pending: [AdvertisingReport] = []

  /// An assembler that waits for nothing.
  public init() {}

  /// The advertisements that still wait for the rest of their data.
  public var unfinished: Int { pending.count }

  /// Replaces the fragments in `reports` by whole advertisements, in place. Reports that are whole
  /// already (all legacy ones are) stay as they are.
  ///
  /// - Parameter counters: Gets the fragments that were taken in, and the advertisements whose
  ///   remainder never came.
  @inlinable
  public mutating func assemble(
    _ reports: inout [AdvertisingReport], from start: Int = 0, counters: inout SourceCounters
  ) {
    // Nearly every batch has no fragments: look before doing anything.
    guard hasPending || hasFragments(reports, start) else { return }
    assembleFragments(&reports, start, &counters)
  }

  @usableFromInline var hasPending: Bool { !pending.isEmpty }

  @usableFromInline
  func hasFragments(_ reports: [AdvertisingReport], _ start: Int) -> Bool {
    for index in start..<reports.count where reports[index].dataStatus == .incomplete {
      return true
    }
    return false
  }

  @usableFromInline
  mutating func assembleFragments(
    _ reports: inout [AdvertisingReport], _ start: Int, _ counters: inout SourceCounters
  ) {
    var kept = start
    for index in start..<reports.count {
      guard let whole = take(reports[index], &counters) else { continue }
      reports[kept] = whole
      kept += 1
    }
    reports.removeSubrange(kept..<reports.count)
  }

  private mutating func take(
    _ report: AdvertisingReport, _ counters: inout SourceCounters
  ) -> AdvertisingReport? {
    guard report.isLegacy == false else { return report }
    let match = pending.firstIndex {
      $0.adapter == report.adapter && $0.address == report.address
        && $0.addressType == report.addressType && $0.sid == report.sid
        && $0.isScanResponse == report.isScanResponse
    }
    guard report.dataStatus == .incomplete || match != nil else { return report }
    var joined = report
    if let match {
      let bytes = pending.remove(at: match).payload.bytes + report.payload.bytes
      guard bytes.count <= AdvertisingPayload.maximumCount else {
        // More than an advertisement can hold: the end of an earlier one was lost on the way.
        counters.unfinishedFragments &+= 1
        return report.dataStatus == .incomplete ? hold(report, &counters) : report
      }
      joined.payload = AdvertisingPayload(bytes)
    }
    return joined.dataStatus == .incomplete ? hold(joined, &counters) : joined
  }

  private mutating func hold(
    _ report: AdvertisingReport, _ counters: inout SourceCounters
  ) -> AdvertisingReport? {
    if pending.count == FragmentAssembler.capacity {
      pending.removeFirst()
      counters.unfinishedFragments &+= 1
    }
    pending.append(report)
    return nil
  }

  /// Forgets what is unfinished, counting it: the source has ended.
  public mutating func finish(counters: inout SourceCounters) {
    counters.unfinishedFragments &+= UInt64(pending.count)
    pending.removeAll()
  }
}
