import Beacons
import Bluetooth
import LunaTesting
import Testing

@Suite("Mutated advertisements")
struct MutationTests {
  @Test("Decoding and writing any bytes comes to an end", arguments: 0..<4)
  func anyBytes(seed: UInt64) {
    var generator = Seeded(seed)
    let decoder = BeaconDecoder()
    var beacons: [Beacon] = []
    var recognised = 0
    for _ in 0..<20_000 {
      guard var bytes = allExamples.randomElement(using: &generator)?.bytes else { return }
      for _ in 0..<Int.random(in: 0...6, using: &generator) {
        mutate(&bytes, &generator)
      }
      beacons.removeAll(keepingCapacity: true)
      decoder.decode(
        bytes.span, address: BluetoothAddress(value: generator.next()),
        addressType: AddressType(rawValue: UInt8.random(in: 0...2, using: &generator)),
        into: &beacons)
      recognised += beacons.count
      for beacon in beacons {
        #expect(!beacon.title.isEmpty)
        // Only makers that list their service without data have nothing to say.
        if beacon.fields.isEmpty { #expect([.chipolo, .pebblebee].contains(beacon.family)) }
      }
    }
    // The mutations must leave something to recognise, or they test nothing.
    #expect(recognised > 2_000)
  }

  private func mutate(_ bytes: inout [UInt8], _ generator: inout Seeded) {
    let byte = UInt8.random(in: 0...255, using: &generator)
    switch Int.random(in: 0...5, using: &generator) {
    case 0 where !bytes.isEmpty: bytes.removeLast()
    case 1: bytes.append(byte)
    case 2 where !bytes.isEmpty: bytes[0] = byte
    case 3: bytes += allExamples.randomElement(using: &generator)?.bytes ?? []
    case 4: bytes.insert(byte, at: Int.random(in: 0...bytes.count, using: &generator))
    default:
      if !bytes.isEmpty { bytes[Int.random(in: 0..<bytes.count, using: &generator)] = byte }
    }
  }
}
