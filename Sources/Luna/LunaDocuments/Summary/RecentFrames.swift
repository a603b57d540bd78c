package import Bluetooth

/// The last frame of each kind that an advertiser sends by turns: advertisements and scan responses,
/// and in each the families that share an address.
package struct RecentFrames: Sendable {
  private struct Frame {
    let kind: UInt64
    var report: AdvertisingReport
  }

  /// How many kinds are kept; the longest not heard goes first.
  private static let capacity = 4
  /// After this time a kind that does not come again counts no more, microseconds.
  private static let lifetime: Int64 = 60_000_000

  private var frames: [Frame] = []

  /// The frames, the last one heard at the end.
  package var reports: [AdvertisingReport] { frames.map(\.report) }

  /// The frames in an order that stays: advertisements first.
  package var steadyReports: [AdvertisingReport] {
    frames.sorted { $0.kind < $1.kind }.map(\.report)
  }

  /// Takes a report.
  ///
  /// - Returns: Whether its payload is not that of the last one of its kind.
  package mutating func add(_ report: AdvertisingReport) -> Bool {
    let kind = RecentFrames.kind(of: report)
    var isNew = true
    if let index = frames.firstIndex(where: { $0.kind == kind }) {
      isNew = frames[index].report.payload != report.payload
      if index == frames.count - 1 {
        frames[index].report = report
        return isNew
      }
      frames.remove(at: index)
    }
    frames.removeAll {
      report.time.microseconds.subtractingReportingOverflow($0.report.time.microseconds)
        .partialValue > RecentFrames.lifetime
    }
    if frames.count == RecentFrames.capacity { frames.removeFirst() }
    frames.append(Frame(kind: kind, report: report))
    return isNew
  }

  /// A number for the AD structures that are there, with company or service, and for those that
  /// carry several formats, with the byte that tells which.
  private static func kind(of report: AdvertisingReport) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    report.payload.withBytes { bytes in
      var reader = ADStructureReader()
      while let structure = reader.next(in: bytes) {
        add(structure.type)
        guard structure.type == 0xFF || structure.type == 0x16, structure.count >= 2 else {
          continue
        }
        let (low, high) = (bytes[structure.offset], bytes[structure.offset + 1])
        add(low)
        add(high)
        let number = UInt16(low) | UInt16(high) << 8
        if structure.count >= 3, [0x004C, 0xFEAA].contains(number) {
          add(bytes[structure.offset + 2])
        }
      }
    }
    let isResponse = report.isScanResponse == true
    return hash >> 1 | (isResponse ? 1 << 63 : 0)
  }
}
