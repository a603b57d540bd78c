import LunaDocuments

/// What has a line of its own at the end of a scan.
enum SummaryLine: String, CaseIterable, Sendable {
  case address, family, company

  /// How advertisers are put together for it; nil where each has its own.
  var group: AdvertiserGroups.Key? { AdvertiserGroups.Key(rawValue: rawValue) }
}
