import Beacons
package import Bluetooth

/// Advertisers put together by what they are, or by who made them. One that sends frames of two families
/// is in both groups; one that gave way for others and came again counts twice.
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
  }

  package let key: Key
  private var groups: [String?: Group] = [:]

  package init(_ key: Key) { self.key = key }

  /// Puts an advertiser where it belongs.
  package mutating func add(_ advertiser: borrowing Advertiser) {
    var values: [String?]
    switch key {
    case .family: values = advertiser.families.members.map(\.rawValue)
    case .company: values = [advertiser.companyName]
    }
    if values.isEmpty { values = [nil] }
    let (count, first, last) = (advertiser.count, advertiser.firstTime, advertiser.lastTime)
    for value in values {
      var group = groups[value] ?? Group(value: value)
      group.advertisers += 1
      group.count &+= count
      if first != .unknown {
        let isEarlier = group.firstTime == .unknown || first < group.firstTime
        if isEarlier { group.firstTime = first }
        if group.lastTime == .unknown || last > group.lastTime { group.lastTime = last }
      }
      groups[value] = group
    }
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
