import LunaVectors
import Testing

/// Every case of the built-in vector files, one test case per group.
struct VectorTests {
  struct GroupCase: CustomTestStringConvertible, Sendable {
    let group: VectorFile.Group
    var testDescription: String { "\(group.name), \(group.cases.count) cases" }
  }

  static let groups: [GroupCase] = BuiltInVectors.files.flatMap { file in
    ((try? VectorFile(file.bytes))?.groups ?? []).map(GroupCase.init)
  }

  @Test func allGroupsAreThere() throws {
    #expect(Self.groups.count == 39)
    #expect(Self.groups.reduce(0) { $0 + $1.group.cases.count } == 2025)
    #expect(Set(Self.groups.map(\.group.name)) == Set(VectorMachine.groups))
  }

  @Test(arguments: groups)
  func everyCaseIsEqual(group: GroupCase) throws {
    var machine = try VectorMachine()
    for item in group.group.cases {
      let failure = machine.check(item, of: group.group.name)
      #expect(failure == nil, "\(item.id): \(failure?.problem ?? "")")
    }
  }
}
