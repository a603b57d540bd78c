import Beacons
import Bluetooth
import SafeText

/// What was heard of an advertiser, as a line.
package enum AdvertiserDocument {
  /// The first line of comma-separated values.
  package static func appendHead(to output: OutputBuffer) {
    output.append(
      "address,addressType,count,rssi,rssiMean,firstSeenAt,lastSeenAt,beacons,name\n")
  }

  package static func appendJSON(
    _ advertiser: borrowing Advertiser, _ timeText: inout TimeText, to output: OutputBuffer
  ) {
    var writer = JSONFieldWriter("advertiser", in: output)
    let identity = advertiser.identity
    if identity.addressType.hasAddress { writer.address("address", identity.address) }
    if let name = identity.addressType.name { writer.string("addressType", name) }
    if identity.addressType == .random, let kind = identity.address.randomKind {
      writer.string("addressKind", kind.rawValue)
    }
    if let name = advertiser.name { writer.text("name", name) }
    writer.integer("count", Int64(clamping: advertiser.count))
    if advertiser.firstTime != .unknown {
      writer.string("firstSeenAt", timeText.string(advertiser.firstTime))
      writer.string("lastSeenAt", timeText.string(advertiser.lastTime))
    }
    if let rssi = advertiser.rssi, let mean = advertiser.meanRSSI {
      writer.integer("rssi", Int64(rssi))
      writer.integer("rssiMin", Int64(advertiser.minimumRSSI))
      writer.integer("rssiMax", Int64(advertiser.maximumRSSI))
      writer.decimal("rssiMean", Int64((mean * 10).rounded()), digits: 1)
    }
    if advertiser.tellsConnectable {
      writer.boolean("connectable", advertiser.isConnectable)
    }
    writer.beginItems("beacons")
    for family in advertiser.families.members {
      writer.beginItem()
      writer.string("beacon", family.rawValue)
      writer.endItem()
    }
    writer.endItems()
    writer.boolean("tracker", advertiser.isTracker)
    writer.endLine()
  }

  package static func appendCSV(
    _ advertiser: borrowing Advertiser, _ timeText: inout TimeText, to output: OutputBuffer
  ) {
    CSVLine.append(
      [
        advertiser.identity.addressText ?? "",
        advertiser.identity.addressType.name?.description ?? "", String(advertiser.count),
        advertiser.rssi.map(String.init) ?? "", advertiser.meanText ?? "",
        text(advertiser.firstTime, &timeText) ?? "", text(advertiser.lastTime, &timeText) ?? "",
        advertiser.families.members.map(\.rawValue).joined(separator: ";"),
        advertiser.name?.raw ?? "",
      ], to: output)
  }

  private static func text(_ time: Timestamp, _ timeText: inout TimeText) -> String? {
    time == .unknown ? nil : timeText.string(time)
  }
}
