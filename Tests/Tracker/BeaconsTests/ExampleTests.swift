import Beacons
import Bluetooth
import Testing

@Suite("Families, by annotated examples")
struct ExampleTests {
  @Test("An example is recognised as one beacon, with its fields", arguments: allExamples)
  func recognised(example: Example) throws {
    let beacons = example.decoded(example.bytes)
    #expect(beacons.count == 1)
    let beacon = try #require(beacons.first)
    #expect(beacon.family == example.family)
    #expect(beacon.title == example.title)
    #expect(beacon.fields == example.fields)
    let isLunaRegion = example.fields.contains {
      $0.hasPrefix("region=") && example.family == .iBeacon
    }
    #expect(beacon.isTracker == (example.family.isTracker || isLunaRegion))
  }

  @Test("Every family has an example", arguments: BeaconFamily.allCases)
  func complete(family: BeaconFamily) {
    #expect(allExamples.contains { $0.family == family })
  }

  @Test(
    "The declared fields of a family are those that its frames have",
    arguments: BeaconFamily.allCases)
  func declaredFields(family: BeaconFamily) {
    let written = allExamples.filter { $0.family == family }.flatMap { example in
      example.fields.compactMap { $0.split(separator: "=").first.map(String.init) }
    }
    #expect(Set(family.fields.map(\.name)) == Set(written))
    #expect(Set(family.fields.map(\.name)).count == family.fields.count)
  }

  @Test(
    "An example cut off anywhere is not recognised by its last structure", arguments: allExamples)
  func cutOff(example: Example) {
    for count in 0..<example.bytes.count {
      let before = example.decoded(Array(example.bytes[..<min(count, example.last.offset)]))
      // What came before the structure that is cut counts.
      #expect(example.decoded(Array(example.bytes[..<count])) == before, "\(count) bytes")
    }
  }

  @Test(
    "Shorter data are recognised from the length on that the family needs", arguments: allExamples)
  func shortened(example: Example) {
    for count in 0..<example.last.count {
      let beacons = example.decoded(example.shortened(to: count))
      let families = beacons.map(\.family)
      // A service that is listed makes a beacon of its own.
      let before = example.decoded(Array(example.bytes[..<example.last.offset])).map(\.family)
      if count >= example.minimum {
        #expect(families == [example.family], "\(count) bytes of data")
      } else {
        #expect(families == before, "\(count) bytes of data")
      }
    }
  }

  @Test("What follows an example does not hide it", arguments: allExamples)
  func followed(example: Example) {
    let alone = example.decoded(example.bytes)
    #expect(example.decoded(example.bytes + [0x05, 0x09, 0x4C, 0x75, 0x6E, 0x61]) == alone)
    #expect(example.decoded(example.bytes + [0x00, 0x01, 0x02, 0x03]) == alone)
    // A structure that runs past the end: the protocol refuses Luna frames then.
    let cut = example.decoded(example.bytes + [0x05, 0x09, 0x4C])
    #expect(cut == (example.family == .luna ? [] : alone))
  }

  @Test("One other byte at the place of the type gives nothing", arguments: allExamples)
  func otherType(example: Example) {
    var bytes = example.bytes
    bytes[example.last.offset + 1] = 0x24
    let before = example.decoded(Array(example.bytes[..<example.last.offset]))
    #expect(example.decoded(bytes) == before)
  }
}

/// All examples.
let allExamples = beaconExamples + trackerExamples
