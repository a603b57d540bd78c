import Beacons
package import Bluetooth

/// Advertisers put together by what they are, or by who made them. One that sends frames of two families
/// is in both groups, each with the packets of its family; one that gave way for others and came again counts
/// twice.
package struct AdvertiserGroups {
  /// What makes a group.
  package enum Key: String, Sendable {
    case family, company
  }

  /// One of them.
  package struct Group {
    /// The family or company; nil for those of whom it is not known.
    package let value: String?
    /// How many there were.
    package fileprivate(set) var advertisers = 0
    /// How many packets they sent.
    package fileprivate(set) var count: UInt64 = 0
    package fileprivate(set) var firstTime = Timestamp.unknown
    package fileprivate(set) var lastTime = Timestamp.unknown

    fileprivate mutating func add(_ packets: UInt64, _ first: Timestamp, _ last: Timestamp) {
      count &+= packets
      guard first != .unknown else { return }
      let isEarlier = firstTime == .unknown || first < firstTime
      if isEarlier { firstTime = first }
      if lastTime == .unknown || last > lastTime { lastTime = last }
    }
  }

  package let key: Key
  private var groups: [String?: Group] = [:]

  package init(_ key: Key) { self.key = key }

  /// Counts a report for the families in it.
  package mutating func count(_ report: AdvertisingReport) {
    guard key == .family else { return }
    var families = FamilySet()
    for beacon in AdvertisementDocument.decoder.beacons(in: report) {
      families.insert(beacon.family)
    }
    guard !families.isEmpty else { return }
    for family in families.members {
      groups[family.rawValue, default: Group(value: family.rawValue)]
        .add(1, report.time, report.time)
    }
  }

  /// Puts an advertiser where it belongs, when all its reports have been counted.
  package mutating func add(_ advertiser: borrowing Advertiser) {
    if key == .family, !advertiser.families.isEmpty {
      for family in advertiser.families.members {
        groups[family.rawValue, default: Group(value: family.rawValue)].advertisers += 1
      }
      return
    }
    let value = key == .company ? advertiser.companyName : nil
    var group = groups[value] ?? Group(value: value)
    group.advertisers += 1
    group.add(advertiser.count, advertiser.firstTime, advertiser.lastTime)
    groups[value] = group
  }

  /// The groups, the one with the most advertisers first; those that are not known at the end.
  package var sorted: [Group] {
    groups.values.sorted { left, right in
      guard let leftValue = left.value else { return false }
      guard let rightValue = right.value else { return true }
      return (right.advertisers, right.count, leftValue)
        < (left.advertisers, left.count, rightValue)
    }
  }
}
