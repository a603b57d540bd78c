import Beacons
import Testing

@testable import LunaWatch

@Suite struct LinkTableTests {
  @Test(arguments: BeaconFamily.allCases.filter(\.isTracker))
  func hasRowsForEveryTracker(_ family: BeaconFamily) {
    let rows = LinkTable.rows.filter { $0.family == family }
    #expect(!rows.isEmpty, "what does \(family) keep of its identity? Add it to LinkTable")
    #expect(Set(rows.map(\.state)).count == rows.count)
    #expect(Set(rows.map(\.identity)).count == 1)
  }

  @Test func knowsWhatKeepsItsName() {
    for family in [BeaconFamily.tile, .chipolo, .pebblebee] {
      #expect(!LinkTable.changes(family))
    }
    // Of what nothing links nothing lasts.
    for family in [BeaconFamily.appleFindMy, .googleFindHub, .dult, .smartTag, .luna, .iBeacon] {
      #expect(LinkTable.changes(family))
    }
  }

  @Test func hasNoRowForWhatIsNoTracker() {
    #expect(LinkTable.rows.allSatisfy { $0.family.isTracker })
  }

  @Test func namesIdentifiers() throws {
    let tile = WatchIdentifier(.tile, 0xC0FF_EE00_0001)
    #expect("\(tile)" == "tile:c0ffee000001")
    #expect(WatchIdentifier("tile:c0ffee000001") == tile)
    let tag = WatchIdentifier(.smartTag, 0x0102)
    #expect("\(tag)" == "smarttag:0000000000000102")
    for wrong in ["", "tile", "tile:", "tile:xyz", "nobody:12", "tile:1:2"] {
      #expect(WatchIdentifier(wrong) == nil)
    }
  }
}
