import Beacons
public import Bluetooth
import SafeText

/// Turns reports into knowledge of advertisers; decodes a payload once, not each time it is sent.
public struct AdvertiserObserver {
  package private(set) var table = AdvertiserTable<Advertiser>()

  /// Nobody was heard.
  public init() {}

  /// Who was heard, the longest silent first; at most 65,536.
  public var advertisers: [Advertiser] {
    var advertisers: [Advertiser] = []
    advertisers.reserveCapacity(table.count)
    table.forEachOldestFirst { advertisers.append(copy $0) }
    return advertisers
  }

  /// Takes a report into account.
  ///
  /// - Returns: The advertiser that had to give way for a new one, if one had.
  @inline(__always)
  public mutating func observe(_ report: AdvertisingReport) -> Advertiser? {
    let identity = Advertiser.Identity(report)
    return table.withAdvertiser(identity, at: report.time) { $0.observe(report) }
  }
}

extension Advertiser {
  /// Takes a report into account.
  ///
  /// - Returns: Whether its payload was new, and so had to be decoded.
  @discardableResult
  @inline(__always)
  package mutating func observe(_ report: AdvertisingReport) -> Bool {
    add(report)
    guard !isKnown(Advertiser.hash(report.payload)) else { return false }
    decode(report)
    return true
  }

  /// Never 0, which stands for nothing in `Advertiser.knownPayloads`.
  @inline(__always)
  private static func hash(_ payload: AdvertisingPayload) -> UInt64 {
    var hash = UInt64(payload.count) &+ 0x9E37_79B9_7F4A_7C15
    if let words = payload.words {
      for index in 0..<4 {
        hash = (hash ^ words[index]) &* 0xD6E8_FEB8_6659_FD93
        hash ^= hash >> 32
      }
    } else {
      payload.withBytes { bytes in
        for index in 0..<bytes.count {
          hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3
        }
      }
    }
    return hash | 1
  }

  @inline(never)
  private mutating func decode(_ report: AdvertisingReport) {
    report.payload.withBytes { bytes in
      let summary = ADSummary(bytes)
      if company == nil, summary.hasManufacturerData {
        company = CompanyIdentifier.first(in: bytes)?.rawValue
      }
      guard let heard = summary.name(in: bytes), !heard.isEmpty,
        summary.hasCompleteName || !hasCompleteName
      else { return }
      name = heard
      hasCompleteName = summary.hasCompleteName
    }
    for beacon in AdvertisementDocument.decoder.beacons(in: report) {
      families.insert(beacon.family)
      if case .appleFindMy(let frame) = beacon { deviceType = frame.deviceType }
      if company == nil { company = beacon.maker?.rawValue }
    }
  }
}

extension Advertiser.Identity {
  /// Whom a report came from; advertisers without an address cannot be told apart.
  @inline(__always)
  package init(_ report: AdvertisingReport) {
    address = report.addressType.hasAddress ? report.address : BluetoothAddress(value: 0)
    addressType = report.addressType
  }
}
