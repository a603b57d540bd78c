import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol
import LunaShare
import LunaVectors
import Testing

/// The values that SHARING.md 2 gives, and the vectors that were made from its text.
struct AnchorTests {
  @Test func recordsAreThose() throws {
    let see = try Samples.periods(count: 1)
    #expect(see.records.withBytes { Hex.lower($0) } == "b6e7b607bdc2304ae5c8013424402b")
    let ring = try Samples.periods(
      count: 1, rights: ShareRights(ring: RingRight(seconds: 12, perPeriod: 4)))
    #expect(
      Array(Samples.bytes(ring.records)[15..<31])
        == Hex.bytes("36b0cdf325b0eb3f8a622760d9219603"))
    var heids = try ReportKeyDeriver()
    let package = try #require(ring.ringPackage(Samples.period, at: nil, heids: &heids))
    #expect(package.counter == 1_699_999_744)
    #expect(package.heid.description == "a09867114718541141ed60664ce88cbb")
  }

  @Test func keysAreNamedSo() throws {
    let key = try Samples.key(Samples.ben)
    #expect(Hex.lower(key.bytes.span).hasPrefix("8f40c5ad"))
    #expect(Hex.lower(key.bytes.span).hasSuffix("138285f"))
    #expect(try key.code() == "QFC4-PX9N-86T3-SWGN")
    let kid = try key.identifier(encapsulated: 0x20..<0x40)
    #expect(Hex.lower(kid.span) == "7818f15b6adf19af")
  }

  @Test func everyVectorIsEqual() throws {
    var machine = try VectorMachine(adding: ShareVectors.functions)
    let groups = try VectorFile(BuiltInVectors.share.bytes).groups
    #expect(groups.map(\.name) == ["share-record", "share-envelope", "contact-card"])
    for group in groups {
      #expect(group.cases.count >= 12)
      for item in group.cases {
        let failure = machine.check(item, of: group.name)
        #expect(failure == nil, "\(item.id): \(failure?.problem ?? "")")
      }
    }
  }
}
