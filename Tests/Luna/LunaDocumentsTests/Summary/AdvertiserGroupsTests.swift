import Bluetooth
import SafeText
import Testing

@testable import LunaDocuments

@Suite struct AdvertiserGroupsTests {
  private static let airTag = "1eff4c00121910" + String(repeating: "21", count: 24)
  private static let tile = "0303edfe"
  private static let nameless = "020106"

  /// Groups of advertisers of which each has sent one packet, a second apart, or one has sent all.
  private func groups(
    _ key: AdvertiserGroups.Key, _ payloads: [String], ofOne: Bool = false
  ) -> AdvertiserGroups {
    var observer = AdvertiserObserver()
    var groups = AdvertiserGroups(key)
    for (index, data) in payloads.enumerated() {
      let report = LiveAdvertisersTests.report(
        data, at: Int64(index), address: ofOne ? 1 : UInt64(index))
      groups.count(report)
      _ = observer.observe(report)
    }
    for advertiser in observer.advertisers { groups.add(advertiser) }
    return groups
  }

  @Test func putsTogetherByFamily() {
    let payloads = [Self.tile, Self.airTag, Self.nameless, Self.tile, Self.nameless, Self.nameless]
    let sorted = groups(.family, payloads).sorted
    #expect(sorted.map(\.value) == ["tile", "apple-find-my", nil], "who is not known comes last")
    #expect(sorted.map(\.advertisers) == [2, 1, 3])
    #expect(sorted.map(\.count) == [2, 1, 3])
    #expect(sorted[0].firstTime.seconds(to: sorted[0].lastTime) == 3)
  }

  /// Recordings that were put together go back.
  @Test func firstAndLastAreByTheClock() {
    var observer = AdvertiserObserver()
    for second in [5, 9, 2, 4] as [Int64] {
      _ = observer.observe(LiveAdvertisersTests.report(Self.tile, at: second))
    }
    let start = LiveAdvertisersTests.report(Self.tile).time
    let heard = observer.advertisers
    #expect(heard.map { start.seconds(to: $0.firstTime) } == [2])
    #expect(heard.map { start.seconds(to: $0.lastTime) } == [9])
  }

  /// A beacon with several formats sends them by turns.
  @Test func countsThePacketsOfEachFamily() {
    let payloads = [Self.nameless, Self.tile, Self.airTag, Self.tile, Self.airTag, Self.tile]
    let sorted = groups(.family, payloads, ofOne: true).sorted
    #expect(sorted.map(\.value) == ["tile", "apple-find-my"])
    #expect(sorted.map(\.advertisers) == [1, 1])
    #expect(sorted.map(\.count) == [3, 2])
    #expect(sorted.map { $0.firstTime.seconds(to: $0.lastTime) } == [4, 2])
  }

  @Test func putsTogetherByMaker() {
    let payloads = [Self.tile, Self.airTag, Self.airTag, "05ff34f20102", Self.nameless]
    let sorted = groups(.company, payloads).sorted
    #expect(sorted.map(\.value) == ["Apple, Inc.", "0xf234", "Tile, Inc.", nil])
  }

  /// What anybody may use for tests is nobody's; a summary calls it as a filter does.
  @Test func theIdentifierOfTestsIsNoMaker() {
    let test = "05ffffff0102"
    #expect(groups(.company, [test]).sorted.map(\.value) == ["internal use"])
    let advertisers = LiveAdvertisers(adapterName: nil, isFile: true)
    advertisers.observe([LiveAdvertisersTests.report(test)])
    let nameless = LiveAdvertisers(adapterName: nil, isFile: true)
    nameless.observe([LiveAdvertisersTests.report(Self.nameless)])
    #expect(LiveAdvertisersTests.kinds(advertisers) == LiveAdvertisersTests.kinds(nameless))
  }
}
