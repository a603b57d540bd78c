import LunaCore
import LunaProtocol
import Testing

struct ControlPackageFileTests {
  /// The anchor of PROTOCOL.md, 18.
  private static let anchor = """
    {"heid":"a09867114718541141ed60664ce88cbb","keyRollingCounter":1660156,"command":"buzzStart",
    "argument":10,"counter":1700000100,"type":"package",
    "data":"AQEACgAZVPygmGcRRxhUEUHtYGZM6Iy7ZVPxZBdHAKLUq/nNAc56xnWSSM8="}
    """

  @Test func readsThePackageOfTheSpecification() throws {
    let packages = try ControlPackageFile.decode(Array(Self.anchor.utf8))
    #expect(packages.count == 1)
    #expect(packages[0].command == .buzzStart)
    #expect(packages[0].argument == 10)
    #expect(packages[0].counter == 1_700_000_100)
    #expect(packages[0].heid.description == "a09867114718541141ed60664ce88cbb")
  }

  @Test func readsSeveral() throws {
    let array = "[\(Self.anchor),\(Self.anchor)]"
    #expect(try ControlPackageFile.decode(Array(array.utf8)).count == 2)
    let line = Self.anchor.filter { $0 != "\n" }
    #expect(try ControlPackageFile.decode(Array("\(line)\n\n\(line)\n".utf8)).count == 2)
  }

  @Test func namesTheEntry() throws {
    let broken = "[\(Self.anchor),{\"data\":7}]"
    let error = #expect(throws: DeviceFileError.self) {
      try ControlPackageFile.decode(Array(broken.utf8))
    }
    #expect(error?.entry == "package 2")
  }
}
