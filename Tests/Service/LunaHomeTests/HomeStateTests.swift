import LunaJSON
import Testing

@testable import LunaHome

/// What a home remembers, when its file was damaged.
@Suite struct HomeStateTests {
  /// The state of a home that has just begun, with another member.
  private func read(_ name: String, _ value: JSONValue) throws -> HomeState {
    guard case .object(var object) = HomeState().json else {
      throw FormatError("the state", "is no object")
    }
    object.members.removeAll { $0.name == name }
    object.append(name, value)
    return try HomeState(json: .object(object))
  }

  @Test func isReadAsItWasKept() throws {
    let state = try HomeState(json: HomeState().json)
    #expect(state == HomeState())
    let next = try read("last", ["wall": 1_800_000_000_000_000, "boot": 5])
    #expect(next.last?.boot == 5)
  }

  /// Nothing could be counted on from there.
  @Test(arguments: [Int64.min, .max]) func aNumberThatCannotBeIsDamage(number: Int64) {
    let value = JSONValue.integer(number)
    for (name, damaged) in [
      ("input", value), ("last", ["wall": value, "boot": 0]), ("last", ["wall": 0, "boot": value]),
    ] as [(String, JSONValue)] {
      #expect(throws: FormatError.self) { try read(name, damaged) }
    }
    #expect(throws: FormatError.self) { try read("nextOccurrence", .integer(.min)) }
  }
}
