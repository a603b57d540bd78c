import LunaFleet
import Testing

@testable import LunaBackend

/// How every storage checks of which revision a request is.
@Suite(.timeLimit(.minutes(10))) struct StorageIfMatchTests {
  @Test(arguments: StorageKind.available)
  func whatIsAnotherRevisionIsLeftAlone(kind: StorageKind) async throws {
    let fleet = try await Fleet(kind)
    let id = try await fleet.add("one").id
    func check(_ revisions: [Int64]?, _ id: String) async throws -> String? {
      try await refusal {
        try await fleet.change { work throws(FleetFailure) in
          try work.check(revisions, of: .gateway, id)
        }
      }
    }
    #expect(try await check(nil, id) == nil)
    #expect(try await check([3, 1], id) == nil)
    #expect(try await check([2], id) == "ifMatch")
    #expect(try await check([], id) == "ifMatch")
    // That there is none is said by what was asked for.
    #expect(try await check([2], "0000000000000000") == nil)
  }
}
