public import Bluetooth
import LunaFrames

/// What only trackers and contact tracing put into an advertisement, in whatever form.
///
/// ``BeaconDecoder`` says what an advertisement is, and is strict. Whoever must not tell of a tracker asks
/// here: a frame of tomorrow's, or one that is damaged, is one all the same.
public struct TrackerSigns: Sendable {
  /// Tile, Chipolo, Pebblebee, SmartTag with an owner and without, the draft on unwanted tracking, Find My
  /// of Apple while it is paired, and Exposure Notification.
  private static let services: Set<UInt16> = [
    Tile.activatedService, Tile.unactivatedService, Chipolo.service, Chipolo.secondService,
    Pebblebee.service, 0xFD5A, 0xFD59, 0xFCB2, 0xFD44, 0xFD6F,
  ]
  private static let eddystone: UInt16 = 0xFEAA

  private let decoder: BeaconDecoder

  /// The signs of the trackers that a decoder knows.
  public init(_ decoder: BeaconDecoder) { self.decoder = decoder }

  /// Whether beacons that were decoded are of a tracker, or of somebody who does not want to be followed.
  public static func areIn(_ beacons: [Beacon]) -> Bool {
    beacons.contains { beacon in
      if case .iBeacon(let frame) = beacon { return frame.region != nil }
      return beacon.family.isTracker || beacon.family == .exposureNotification
        || beacon.family == .eddystoneEID
    }
  }

  /// Whether there is a sign of one in an advertisement.
  public func areIn(_ report: AdvertisingReport) -> Bool { report.payload.withBytes { areIn($0) } }

  private func areIn(_ bytes: Span<UInt8>) -> Bool {
    var (hasLunaService, hasLunaCompany) = (false, false)
    var reader = ADStructureReader()
    while let structure = reader.next(in: bytes) {
      let data = bytes.extracting(structure.range)
      if structure.type == 0xFF {
        guard data.count >= 2 else { continue }
        let company = data.uncheckedLittleEndian16(at: 0)
        if decoder.companies.contains(company) { hasLunaCompany = true }
        if company == 0x004C, TrackerSigns.isFindMy(data.extracting(2..<data.count)) {
          return true
        }
        continue
      }
      guard let (width, isData) = TrackerSigns.form(of: structure.type) else { continue }
      var offset = 0
      while offset &+ width <= data.count {
        if let service = TrackerSigns.service(data, at: offset, width) {
          if TrackerSigns.services.contains(service) { return true }
          if service == LunaFrame.serviceUUID { hasLunaService = true }
          // Frames 0x00 to 0x20 are no secret; all others are of rotating identifiers, or of Find Hub.
          if isData, service == TrackerSigns.eddystone, data.count > width, data[width] >= 0x30 {
            return true
          }
        }
        if isData { break }
        offset &+= width
      }
    }
    return hasLunaService && hasLunaCompany
  }

  /// How wide the UUIDs of an AD structure are, and whether one is followed by its data (Core Specification
  /// Supplement, Part A, 1.1, 1.10 and 1.11).
  private static func form(of type: UInt8) -> (width: Int, isData: Bool)? {
    switch type {
    case 0x02, 0x03, 0x14: (2, false)
    case 0x04, 0x05, 0x1F: (4, false)
    case 0x06, 0x07, 0x15: (16, false)
    case 0x16: (2, true)
    case 0x20: (4, true)
    case 0x21: (16, true)
    default: nil
    }
  }

  /// The low half of the Bluetooth base UUID, least significant byte first.
  private static let base: [UInt8] = [
    0xFB, 0x34, 0x9B, 0x5F, 0x80, 0x00, 0x00, 0x80, 0x00, 0x10, 0x00, 0x00,
  ]

  /// The 16-bit UUID that a UUID of some width stands for.
  private static func service(_ data: Span<UInt8>, at offset: Int, _ width: Int) -> UInt16? {
    var place = offset
    if width == 16 {
      for index in base.indices where data[offset &+ index] != base[index] { return nil }
      place = offset &+ base.count
    }
    if width > 2, data[place &+ 2] != 0 || data[place &+ 3] != 0 { return nil }
    return data.uncheckedLittleEndian16(at: place)
  }

  /// Whether a continuity message of type 0x12 is among Apple's.
  private static func isFindMy(_ data: Span<UInt8>) -> Bool {
    var offset = 0
    while offset &+ 1 < data.count {
      if data[offset] == 0x12 { return true }
      offset = offset &+ 2 &+ Int(data[offset &+ 1])
    }
    return false
  }
}
