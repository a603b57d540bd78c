import Bluetooth
import LunaFrames

/// The search through one advertisement: which family is asked about which structure, and what can
/// only be told at the end.
struct BeaconSearch {
  let decoder: BeaconDecoder
  let address: BluetoothAddress
  let addressType: AddressType

  private var listsLunaService = false
  private var hasLunaCompany = false
  /// Makers of trackers whose service was listed, and those whose service data were seen: a tracker
  /// that sends both is one beacon.
  private var listed: Makers = []
  private var seen: Makers = []

  init(decoder: BeaconDecoder, address: BluetoothAddress, addressType: AddressType) {
    self.decoder = decoder
    self.address = address
    self.addressType = addressType
  }

  /// Takes a list of 16-bit services.
  mutating func services(_ list: Span<UInt8>) {
    var offset = 0
    while offset &+ 1 < list.count {
      switch list.uncheckedLittleEndian16(at: offset) {
      case LunaFrame.serviceUUID: listsLunaService = true
      case Tile.activatedService: listed.insert(.tile)
      case Tile.unactivatedService: listed.insert(.newTile)
      case Chipolo.service, Chipolo.secondService: listed.insert(.chipolo)
      case Pebblebee.service: listed.insert(.pebblebee)
      default: break
      }
      offset &+= 2
    }
  }

  /// The beacon in service data; `data` is what follows the UUID.
  mutating func serviceData(_ data: Span<UInt8>, _ service: UInt16) -> Beacon? {
    switch service {
    case 0xFEAA: return eddystone(data)
    case 0xFCB2: return DULT(data).map(Beacon.dult)
    case 0xFD5A: return SmartTag(data).map(Beacon.smartTag)
    case 0xFD6F: return ExposureNotification(data).map(Beacon.exposureNotification)
    case Tile.activatedService:
      return Tile(data, isActivated: true).map { seen.insert(.tile, .tile($0)) }
    case Tile.unactivatedService:
      return Tile(data, isActivated: false).map { seen.insert(.newTile, .tile($0)) }
    case Chipolo.service, Chipolo.secondService:
      return Chipolo(data, service: service, address: address, addressType: addressType)
        .map { seen.insert(.chipolo, .chipolo($0)) }
    case Pebblebee.service: return Pebblebee(data).map { seen.insert(.pebblebee, .pebblebee($0)) }
    default: return nil
    }
  }

  /// The frame types of service 0xFEAA, which Eddystone and the Find Hub network share.
  private func eddystone(_ data: Span<UInt8>) -> Beacon? {
    guard data.count > 1 else { return nil }
    switch data[0] {
    case 0x00: return EddystoneUID(data).map(Beacon.eddystoneUID)
    case 0x10: return EddystoneURL(data).map(Beacon.eddystoneURL)
    case 0x20 where data[1] == 0x00: return EddystoneTLM(data).map(Beacon.eddystoneTLM)
    case 0x20 where data[1] == 0x01: return EddystoneETLM(data).map(Beacon.eddystoneETLM)
    case 0x30: return EddystoneEID(data).map(Beacon.eddystoneEID)
    case 0x40, 0x41: return GoogleFindHub(data).map(Beacon.googleFindHub)
    default: return nil
    }
  }

  /// The beacon in manufacturer data, company identifier included.
  mutating func manufacturerData(_ data: Span<UInt8>) -> Beacon? {
    let company = data.uncheckedLittleEndian16(at: 0)
    if decoder.companies.contains(company) { hasLunaCompany = true }
    if data.count >= 4, data[2] == 0xBE, data[3] == 0xAC {
      return AltBeacon(data).map(Beacon.altBeacon)
    }
    guard company == 0x004C else { return nil }
    return apple(data.extracting(2..<data.count))
  }

  /// The continuity messages in Apple's manufacturer data: type, length, value, and so on.
  private func apple(_ data: Span<UInt8>) -> Beacon? {
    if let beacon = IBeacon(data, regions: decoder.regions) { return .iBeacon(beacon) }
    var offset = 0
    while offset &+ 2 <= data.count {
      let end = offset &+ 2 &+ Int(data[offset &+ 1])
      guard end <= data.count else { return nil }
      if data[offset] == 0x12,
        let message = AppleFindMy(
          data.extracting(offset &+ 2..<end), address: address, addressType: addressType)
      {
        return .appleFindMy(message)
      }
      offset = end
    }
    return nil
  }

  /// Appends what takes the whole advertisement to tell.
  func finish(_ bytes: Span<UInt8>, into beacons: inout [Beacon]) {
    if listsLunaService, hasLunaCompany,
      let luna = LunaBeacon(bytes, companies: decoder.companies)
    {
      beacons.append(.luna(luna))
    }
    let silent = listed.subtracting(seen)
    guard !silent.isEmpty else { return }
    if silent.contains(.tile) { beacons.append(.tile(Tile(isActivated: true))) }
    if silent.contains(.newTile) { beacons.append(.tile(Tile(isActivated: false))) }
    if silent.contains(.chipolo) { beacons.append(.chipolo(Chipolo())) }
    if silent.contains(.pebblebee) { beacons.append(.pebblebee(Pebblebee())) }
  }
}

/// The makers of trackers that may list their service without data.
private struct Makers: OptionSet {
  let rawValue: UInt8

  static let tile = Makers(rawValue: 1)
  static let newTile = Makers(rawValue: 2)
  static let chipolo = Makers(rawValue: 4)
  static let pebblebee = Makers(rawValue: 8)

  /// Notes a maker and hands the beacon on.
  mutating func insert(_ maker: Makers, _ beacon: Beacon) -> Beacon {
    insert(maker)
    return beacon
  }
}
