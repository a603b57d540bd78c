import Foundation
import LunaJSON
import Testing
import UplinkProtocol

/// What scipy computes: `scripts/lib/uplink-vectors` makes the file.
struct VectorTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Vectors.json")

  private struct Case {
    let group: String
    let id: String
    let input: JSONObject
    let output: JSONObject
  }

  private static func cases() throws -> [Case] {
    let json = try JSONReader.read([UInt8](try Data(contentsOf: file)))
    let groups = try JSONMembers(
      try #require(try JSONMembers(json, name: "").object["groups"]), name: "")
    return try groups.object.members.flatMap { group in
      try JSONMembers(group.value, name: "").array("cases").map { item in
        let members = try JSONMembers(item, name: "")
        return Case(
          group: group.name, id: try members.string("id"),
          input: try JSONMembers(try #require(members.object["in"]), name: "in").object,
          output: try JSONMembers(try #require(members.object["out"]), name: "out").object)
      }
    }
  }

  private static func number(_ value: JSONValue?) throws -> Double {
    switch value {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: try #require(nil as Double?)
    }
  }

  @Test func allAgree() throws {
    let cases = try VectorTests.cases()
    #expect(cases.count >= 300)
    #expect(Set(cases.map(\.group)) == Set(UplinkVectors.functions.keys))
    for item in cases {
      let function = try #require(UplinkVectors.functions[item.group])
      let answer = try function(item.input)
      let found = try JSONMembers(answer, name: item.id).object
      #expect(Set(found.members.map(\.name)) == Set(item.output.members.map(\.name)), "\(item.id)")
      for member in item.output.members {
        let expected = try VectorTests.number(member.value)
        let value = try VectorTests.number(found[member.name])
        switch member.name {
        case "d": #expect(abs(value - expected) <= 1e-15, "\(item.id)")
        case "low", "high": #expect(abs(log(value / expected)) <= 1e-4, "\(item.id)")
        default:
          #expect(
            abs(value - expected) <= max(1e-9 * abs(expected), 1e-12),
            "\(item.id) \(member.name): \(value), not \(expected)")
        }
      }
    }
  }

  /// The numbers of the specification, besides those of scipy.
  @Test func thoseOfTheSpecification() throws {
    let first = try KolmogorovSmirnov([1, 2, 3, 4, 5], [3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5])
    #expect(abs(first.distance - 0.714285714285714) < 1e-15)
    #expect(abs(first.p - 0.0656565656565657) < 1e-15)
    let spearman = try Spearman(
      [0, 0, 0.1, 0.2, 0.2, 0.4], [0, 0.1, 0.1, 0.3, 0.2, 0.5], .greater)
    #expect(abs(spearman.statistic - 0.940403258591788) < 1e-15)
    #expect(abs(spearman.p - 0.00261091018666287) < 1e-15)
    let flips = try SignFlips([-0.9, -0.6, -0.8, -0.7, -1.1, -0.4, -0.75, -0.65, -0.85, 0.1])
    #expect(flips.p == 0.00390625)
    #expect(abs(flips.ratio - 0.514273527706632) < 1e-15)
  }

  @Test(arguments: ["NaN", "Infinity", "-Infinity"])
  func refusesWhatIsNoNumber(_ text: String) throws {
    for (group, function) in UplinkVectors.functions {
      let bad: JSONValue = [1, 2, .string(text)]
      let answer = try function(["a": bad, "b": [1, 2, 3], "d": bad])
      #expect(answer == ["reject": "notFinite"], "\(group)")
      let other = try function(["a": [1, 2, 3], "b": bad, "d": bad])
      #expect(other == ["reject": "notFinite"], "\(group)")
    }
  }

  @Test func refusesEmptySets() throws {
    for (group, function) in UplinkVectors.functions {
      #expect(try function(["a": [], "b": [1], "d": []]) == ["reject": "empty"], "\(group)")
      #expect(try function(["a": [1], "b": [], "d": []]) == ["reject": "empty"], "\(group)")
    }
  }

  @Test func namesWhatItCannotRead() {
    for (_, function) in UplinkVectors.functions {
      #expect(throws: FormatError.self) { try function([:]) }
      #expect(throws: FormatError.self) { try function(["a": ["1"], "b": [1], "d": ["x"]]) }
    }
  }

  @Test func knowsThreeAlternatives() throws {
    let function = try #require(UplinkVectors.functions["uplinkSpearman"])
    #expect(throws: FormatError.self) {
      try function(["a": [1], "b": [1], "alternative": "bigger"])
    }
  }
}
