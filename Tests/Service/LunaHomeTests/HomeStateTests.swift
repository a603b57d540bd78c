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

  /// Of two such the home would be gone at each start: what is between them is no number.
  @Test(arguments: [-1, 1] as [Int64]) func aMomentThatIsTooFarAwayIsDamage(sign: Int64) throws {
    let far = JSONValue.integer(sign << 62)
    #expect(throws: FormatError.self) { try read("last", ["wall": far, "boot": 0]) }
    #expect(throws: FormatError.self) { try read("last", ["wall": 0, "boot": far]) }
    // As far as it can be it goes on.
    let most = JSONValue.integer(sign << 58)
    var engine = HomeEngine(
      HomeConfiguration(HomeFile("{}")), try read("last", ["wall": most, "boot": most]))
    _ = engine.step(.start, at: Moment(wall: 1_800_000_000_000_000, boot: 5))
    #expect(engine.state.last?.boot == 5)
  }

  /// An action before the first one there is not.
  @Test func aRunThatWaitsBeforeItsBeginIsDamage() throws {
    func read(_ index: Int64) throws -> HomeState {
      let cause: JSONValue = [
        "trigger": "run", "input": 1, "detail": "", "late": false, "chain": [],
      ]
      let run: JSONValue = [
        "firing": "r-1", "rule": "r", "hash": "0", "cause": cause, "index": .integer(index),
        "due": 5,
      ]
      return try self.read("waiting", [run])
    }
    #expect(try read(1).waiting.count == 1)
    #expect(throws: FormatError.self) { try read(-1) }
  }
}
