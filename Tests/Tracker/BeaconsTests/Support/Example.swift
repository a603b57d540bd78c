import Beacons
import Bluetooth
import Testing

/// An advertisement that one family is recognised in, byte by byte.
struct Example: Sendable, CustomTestStringConvertible {
  let name: String
  let family: BeaconFamily
  let bytes: [UInt8]
  let address: BluetoothAddress
  let addressType: AddressType
  /// How many bytes of data the last AD structure needs at least to be recognised.
  let minimum: Int
  let title: String
  let fields: [String]

  var testDescription: String { name }

  /// - Parameter annotated: Lines of hexadecimal bytes; what follows two blanks and `--` is a note.
  init(
    _ name: String, _ family: BeaconFamily, minimum: Int, title: String,
    address: String = "C0:FF:EE:00:00:01", addressType: AddressType = .random,
    fields: [String], _ annotated: String
  ) {
    self.name = name
    self.family = family
    self.minimum = minimum
    self.title = title
    self.address = BluetoothAddress(address) ?? BluetoothAddress(value: 0)
    self.addressType = addressType
    self.fields = fields
    var digits = ""
    for line in annotated.split(separator: "\n") {
      let code = line.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)[0]
      digits += code.filter { !$0.isWhitespace }
    }
    bytes = Hex.bytes(digits) ?? []
  }

  /// The beacons in the first `count` bytes.
  func decoded(_ bytes: [UInt8]) -> [Beacon] {
    var beacons: [Beacon] = []
    BeaconDecoder().decode(
      bytes.span, address: address, addressType: addressType, into: &beacons)
    return beacons
  }

  /// The last AD structure: where its length byte is, and how many bytes of data it has.
  var last: (offset: Int, count: Int) {
    var reader = ADStructureReader()
    var last = (offset: 0, count: 0)
    while let structure = reader.next(in: bytes.span) {
      last = (structure.offset - 2, structure.count)
    }
    return last
  }

  /// The advertisement with only `count` bytes of data in its last structure.
  func shortened(to count: Int) -> [UInt8] {
    Array(bytes[..<last.offset]) + [UInt8(count + 1)]
      + bytes[(last.offset + 1)..<(last.offset + 2 + count)]
  }
}
