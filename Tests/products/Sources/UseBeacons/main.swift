import Beacons

var beacons: [Beacon] = []
let eddystone: [UInt8] = [3, 3, 0xAA, 0xFE, 7, 0x16, 0xAA, 0xFE, 0x10, 0xEE, 0x03, 0x61]
BeaconDecoder().decode(
  eddystone.span, address: .init(value: 1), addressType: .random, into: &beacons)
print(beacons.map(\.family.rawValue))
