import Bluetooth
import LunaTesting
import Testing

@testable import LunaDocuments

@Suite struct AdvertiserTableTests {
  private func identity(_ number: UInt64) -> Advertiser.Identity {
    Advertiser.Identity(address: BluetoothAddress(value: number), addressType: .random)
  }

  private func addresses(_ table: AdvertiserTable<Advertiser>) -> [UInt64] {
    var list: [UInt64] = []
    table.forEachOldestFirst { list.append($0.identity.address.value) }
    return list
  }

  @Test func keepsTheOrderOfLastContact() {
    var table = AdvertiserTable<Advertiser>(capacity: 10)
    for number in [1, 2, 3, 1, 2, 2] as [UInt64] {
      let dropped = table.withAdvertiser(identity(number), at: Timestamp(microseconds: 0)) {
        $0.count += 1
      }
      #expect(dropped == nil)
    }
    #expect(addresses(table) == [3, 1, 2])
  }

  @Test func dropsTheLongestSilent() {
    var table = AdvertiserTable<Advertiser>(capacity: 3)
    var dropped: [UInt64] = []
    for number in [1, 2, 3, 1, 4, 5] as [UInt64] {
      if let out = table.withAdvertiser(
        identity(number), at: Timestamp(microseconds: 0), { $0.count += 1 })
      {
        dropped.append(out.identity.address.value)
      }
    }
    #expect(dropped == [2, 3])
    #expect(addresses(table) == [1, 4, 5])
  }

  /// Against the simplest possible model, with addresses that collide and many removals.
  @Test func agreesWithAModel() {
    var generator = Seeded.drawn()
    var table = AdvertiserTable<Advertiser>(capacity: 700)
    var model: [UInt64] = []
    var counts: [UInt64: UInt64] = [:]
    for _ in 0..<20_000 {
      let number = UInt64.random(in: 0..<1_000, using: &generator) << 20
      var expectedDrop: UInt64?
      if let index = model.firstIndex(of: number) {
        model.remove(at: index)
      } else if model.count == 700 {
        expectedDrop = model.removeFirst()
        counts[expectedDrop ?? 0] = nil
      }
      model.append(number)
      counts[number, default: 0] += 1
      var count: UInt64 = 0
      let dropped = table.withAdvertiser(identity(number), at: Timestamp(microseconds: 0)) {
        $0.count += 1
        count = $0.count
      }
      #expect(dropped?.identity.address.value == expectedDrop)
      #expect(count == counts[number])
    }
    #expect(addresses(table) == model)
  }
}
