import Beacons
import Bluetooth
import Foundation
import Testing

@Suite struct FamilyNameTests {
  /// What the screen shows begins with the family's name, or with that of the kind of device.
  @Test(arguments: allExamples)
  func titlesBeginWithTheName(example: Example) {
    let kinds = AppleFindMy.DeviceType.allCases.map(\.title)
    let isLunaRegion = example.family == .iBeacon && example.title.hasPrefix("LunaTracker")
    let names =
      example.family == .appleFindMy
      ? kinds : isLunaRegion ? [BeaconFamily.luna.title] : [example.family.title]
    #expect(names.contains { example.title.hasPrefix($0) }, "\(example.title)")
  }

  /// The makers of trackers of networks other than Apple's and Luna's, where the company has a number.
  @Test(arguments: [
    (BeaconFamily.smartTag, "Samsung Electronics Co. Ltd."), (.tile, "Tile, Inc."),
    (.chipolo, "CHIPOLO d.o.o."), (.googleFindHub, "Google"),
  ])
  func makers(family: BeaconFamily, company: String) {
    for example in allExamples where example.family == family {
      #expect(example.decoded(example.bytes).first?.maker?.name == company)
    }
  }

  /// A DULT tracker says whose network it belongs to, by a number that not everybody has.
  @Test func makersOfNetworks() {
    let makers = allExamples.filter { $0.family == .dult }.map {
      $0.decoded($0.bytes).first?.maker?.name
    }
    #expect(makers.contains("Google") && makers.contains(nil))
  }

  /// Who is obeyed by what: who adds a family says it here.
  @Test func permissions() {
    func families(_ access: FamilyPermissions.Access) -> [BeaconFamily] {
      BeaconFamily.allCases.filter { FamilyPermissions($0).ring == access }
    }
    #expect(families(.separated) == [.luna, .appleFindMy, .googleFindHub, .dult])
    #expect(families(.app("SmartThings")) == [.smartTag])
    #expect(families(.nobody).allSatisfy { !$0.isTracker })
    #expect(
      FamilyPermissions(.tile).lines.map(\.who)
        == Array(repeating: "its owner, in the Tile app", count: 2))
    #expect(
      BeaconFamily.allCases.filter { FamilyPermissions($0).isFollowedByKeys }
        == [.luna, .eddystoneEID, .appleFindMy, .googleFindHub])
  }

  /// The table in README.md says the same, and of nothing else.
  @Test func permissionsInTheReadme() throws {
    let place = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../README.md")
    let lines = try String(contentsOf: place, encoding: .utf8).split(separator: "\n")
    let head = try #require(lines.firstIndex(of: "| | ring | identify | follow |"))
    let rows = lines[(head + 2)...].prefix { $0.hasPrefix("|") }.map(String.init)
    let wanted = BeaconFamily.allCases.compactMap { family -> String? in
      let permissions = FamilyPermissions(family)
      guard !permissions.lines.isEmpty else { return nil }
      let followers = permissions.isFollowedByKeys ? "who has its keys" : "nobody"
      return "| \(family.title) | \(permissions.ring) | \(permissions.identify) | \(followers) |"
    }
    #expect(rows.sorted() == wanted.sorted())
  }
}
