import Beacons
package import Bluetooth
import SafeText

/// An advertiser as a live display needs it: with its recent past, and its last advertisements for
/// the details and the filter.
package struct LiveAdvertiser: AdvertiserEntry {
  /// How many RSSI values the trend is drawn from.
  private static let historyCount = 16

  package private(set) var summary: Advertiser
  /// When it was heard last, also after the clock was set back.
  package private(set) var heardAt: Timestamp
  /// Stays with the advertiser; 0 until the first observation.
  package var id: UInt64 = 0
  private var history: InlineArray<16, Int8> = InlineArray(repeating: 0)
  private var historyUsed = 0
  private var rate: RateMeter
  package private(set) var frames = RecentFrames()
  /// What the last frame of the most telling family was, for people. Beside others that the
  /// advertiser sends by turns it stays.
  private var title: String?
  private var titleRank = Int.max
  /// What that family lets people do.
  private var permissions: FamilyPermissions?
  /// Who made it, for advertisers that no family recognises.
  private var maker: String?
  /// Whether it passed the filter of a number, when it had sent so many packets.
  private var verdict: (filter: Int, packets: UInt64, passes: Bool) = (0, 0, true)

  package init(_ identity: Advertiser.Identity, at time: Timestamp) {
    summary = Advertiser(identity, at: time)
    heardAt = time
    rate = RateMeter(at: time)
  }

  package var identity: Advertiser.Identity { summary.identity }

  package mutating func observe(_ report: AdvertisingReport) {
    rate.observe(at: report.time)
    if report.time != .unknown { heardAt = report.time }
    summary.observe(report)
    if frames.add(report) { updateTitle(report) }
    guard let rssi = report.rssi else { return }
    history[historyUsed % LiveAdvertiser.historyCount] = rssi
    historyUsed += 1
  }

  /// A repeat of the last payload says nothing new.
  private mutating func updateTitle(_ report: AdvertisingReport) {
    if maker == nil { maker = LiveAdvertiser.maker(of: report) }
    guard !summary.families.isEmpty else { return }
    for beacon in AdvertisementDocument.decoder.beacons(in: report) {
      let rank = LiveAdvertiser.rank(of: beacon)
      guard rank <= titleRank else { continue }
      title = beacon.title
      permissions = FamilyPermissions(beacon)
      titleRank = rank
    }
  }

  /// How telling a family is, the lowest number the most: trackers, then what a tracker sends in
  /// between (a LunaTracker's iBeacon frames), then beacons.
  private static func rank(of beacon: Beacon) -> Int {
    let index = BeaconFamily.allCases.firstIndex(of: beacon.family) ?? 0
    let group = beacon.family.isTracker ? 0 : beacon.isTracker ? 1 : 2
    return index + group * BeaconFamily.allCases.count
  }

  /// Whether it passes the filter with this number; looked at anew only after new packets.
  package mutating func passes(_ number: Int, _ holds: ([AdvertisingReport]) -> Bool) -> Bool {
    if verdict.filter != number || verdict.packets != summary.count {
      verdict = (number, summary.count, holds(frames.reports))
    }
    return verdict.passes
  }

  /// What it is: the title of a family, or who made it; empty where nobody knows.
  package var kind: String { title ?? maker ?? "" }

  /// What it is called where there is room for one thing: by its family, its name, or who made it.
  package var label: String {
    if title == nil, let name = summary.name?.raw, !name.isEmpty { return name }
    return kind
  }

  /// The last RSSI values, dBm, the newest at the end.
  package var recentRSSI: [Int8] {
    let kept = min(historyUsed, LiveAdvertiser.historyCount)
    return (historyUsed - kept..<historyUsed).map { history[$0 % LiveAdvertiser.historyCount] }
  }

  /// Packets a second at the time `now`.
  package func rate(at now: Timestamp) -> Double { rate.value(at: now) }

  /// What kind of address it has, such as `random static`.
  package var addressDetail: String { identity.addressDetail ?? "unknown" }

  /// What people look for first, in this order, and what only those want who read bytes.
  private static let leading = [
    "what", "name", "state", "separated", "nearOwner", "onboardable", "battery",
    "batteryMillivolts", "rssi", "ring", "identify", "follow",
  ]
  private static let raw: Set = ["data", "serviceData", "manufacturerData"]

  /// All that is known of it, for people: what it is and how it is, what can be done, what was sent,
  /// and at the end its bytes.
  package func details(_ adapterName: String?) -> [DetailWriter.Detail] {
    var writer = DetailWriter()
    if !kind.isEmpty { writer.add("what", kind) }
    if let name = summary.name { writer.text("name", name) }
    if let rssi = summary.rssi, let mean = summary.meanRSSI {
      writer.add(
        "rssi",
        "\(rssi) dBm, mean \(Int(mean.rounded())), \(summary.minimumRSSI) to \(summary.maximumRSSI)"
      )
    }
    for (action, who) in permissions?.lines ?? [] { writer.add(action, who) }
    for report in frames.steadyReports {
      AdvertisementDocument.writeHead(report, adapterName: adapterName, to: &writer)
      AdvertisementDocument.writeTail(report, to: &writer)
    }
    let details = writer.details
    func ranked(_ label: String) -> Int {
      if LiveAdvertiser.raw.contains(label) { return LiveAdvertiser.leading.count + 1 }
      return LiveAdvertiser.leading.firstIndex(of: label) ?? LiveAdvertiser.leading.count
    }
    let order = details.indices.sorted {
      (ranked(details[$0].label), $0) < (ranked(details[$1].label), $1)
    }
    return order.map { details[$0] }
  }

  private static func maker(of report: AdvertisingReport) -> String? {
    let company = report.payload.withBytes { CompanyIdentifier.first(in: $0) }
    return company == .test ? nil : company?.name
  }
}
