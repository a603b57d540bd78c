import Diagnosis
import LunaCore
import LunaTesting
import SQLite
import Testing

@testable import LunaStore

/// Who makes the checks, for servers, and how many of them there were.
struct UplinkIdentityTests {
  private let folder = TestFolder()
  private var state: StateDirectory { StateDirectory(path: folder.path) }

  /// As the next program finds it.
  private func identity(in folder: TestFolder) throws -> UplinkIdentity {
    try UplinkStore(in: StateDirectory(path: folder.path)).identity()
  }

  private func execute(_ sql: String) throws {
    let path = "\(folder.path)/\(UplinkStore.fileName)"
    try Database(path: path, patience: .seconds(1)).execute(sql)
  }

  @Test func lastsAndIsNobodyElses() throws {
    let made = try identity(in: folder)
    #expect(made.history == 0)
    #expect(made.user.utf8.count == 10)
    #expect(made.user.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
    #expect(try identity(in: folder) == made)
    #expect(try identity(in: TestFolder()).user != made.user)
  }

  @Test func everyLetterIsAboutAsFrequent() {
    var counts: [Character: Int] = [:]
    for _ in 0..<6_200 {
      for letter in UplinkIdentity.makeUser() { counts[letter, default: 0] += 1 }
    }
    #expect(counts.count == 62)
    // 1,000 of each are expected; ten deviations from that never happen.
    #expect(counts.values.allSatisfy { (680...1_320).contains($0) })
  }

  @Test func noNumberIsGivenTwice() throws {
    do {
      let store = try UplinkStore(in: state)
      #expect(try store.countTests(1).history == 1)
      // Another one that has the file open counts the same tests.
      let other = try UplinkStore(in: state)
      #expect(try other.countTests(2).history == 3)
      #expect(try store.countTests(1).history == 4)
    }
    #expect(try identity(in: folder).history == 4)
  }

  /// Who has counted elsewhere goes on from there, and never back.
  @Test func countsOnFromWhereSomebodyWants() throws {
    let store = try UplinkStore(in: state)
    #expect(try store.countTests(1, from: 41).history == 42)
    #expect(try store.countTests(2, from: 41).history == 44)
    #expect(try store.countTests(1).history == 45)
  }

  @Test(arguments: ["user = ''", "user = '../x'", "user = 'é'", "history = -1"])
  func whatSomebodyElseWroteIsNotTaken(change: String) throws {
    _ = try identity(in: folder)
    try execute("UPDATE identity SET \(change)")
    let error = #expect(throws: DeviceStoreError.self) { _ = try identity(in: folder) }
    #expect(error?.kind == .damaged)
    #expect(error?.reason.contains(UplinkStore.fileName) == true)
    // No test is counted for nobody.
    #expect(throws: DeviceStoreError.self) { _ = try UplinkStore(in: state).countTests(0) }
  }

  /// A number that is too large is refused, and the last one stays.
  @Test func theCountDoesNotWrap() throws {
    _ = try identity(in: folder)
    try execute("UPDATE identity SET history = \(Int64.max)")
    #expect(throws: DeviceStoreError.self) { _ = try UplinkStore(in: state).countTests(1) }
    #expect(try identity(in: folder).history == .max)
  }
}
