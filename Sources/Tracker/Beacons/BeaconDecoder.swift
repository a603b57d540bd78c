public import Bluetooth
public import LunaFrames

/// Recognises beacons and trackers in advertising data. A value without state: share it freely.
///
/// Any bytes are accepted. Where a structure runs past the end of the data, what came before it
/// counts, but for LunaTracker frames, which the protocol refuses as a whole.
public struct BeaconDecoder: Sendable {
  /// The UUIDs of the Luna regions, by index.
  public let regions: [BluetoothUUID]
  /// The companies whose Luna frames are taken.
  public let companies: [UInt16]

  /// A decoder for these regions and companies, by default those of the protocol.
  public init(
    regions: [BluetoothUUID] = IBeaconFrame.defaultRegions,
    companies: [UInt16] = LunaFrame.defaultCompanies
  ) {
    self.regions = regions
    self.companies = companies
  }

  /// The beacons in a report, nearly always one or none.
  public func beacons(in report: AdvertisingReport) -> [Beacon] {
    var beacons: [Beacon] = []
    decode(report, into: &beacons)
    return beacons
  }

  /// Appends the beacons in a report. Keep the array, emptied with its capacity, for the next one.
  public func decode(_ report: AdvertisingReport, into beacons: inout [Beacon]) {
    report.payload.withBytes {
      decode($0, address: report.address, addressType: report.addressType, into: &beacons)
    }
  }

  /// Appends the beacons in advertising data.
  ///
  /// - Parameters:
  ///   - bytes: The advertising data of one PDU.
  ///   - address: The advertiser's address, of which some families make use.
  ///   - addressType: What kind of address it is; ``Bluetooth/AddressType/absent`` for none.
  ///   - beacons: Gets the beacons, in the order of the data.
  public func decode(
    _ bytes: Span<UInt8>, address: BluetoothAddress = BluetoothAddress(value: 0),
    addressType: AddressType = .absent, into beacons: inout [Beacon]
  ) {
    var search = BeaconSearch(
      decoder: self, address: address, addressType: addressType)
    var reader = ADStructureReader()
    while let structure = reader.next(in: bytes) {
      switch structure.type {
      case 0x02, 0x03: search.services(bytes.extracting(structure.range))
      case 0x16 where structure.count >= 2:
        let service = bytes.uncheckedLittleEndian16(at: structure.offset)
        if let beacon = search.serviceData(bytes.extracting(structure.range.dropFirst(2)), service)
        {
          beacons.append(beacon)
        }
      case 0xFF where structure.count >= 2:
        if let beacon = search.manufacturerData(bytes.extracting(structure.range)) {
          beacons.append(beacon)
        }
      default: break
      }
    }
    search.finish(bytes, into: &beacons)
  }
}
