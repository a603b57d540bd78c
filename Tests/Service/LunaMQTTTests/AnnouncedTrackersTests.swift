import FileOutput
import Glibc
import LunaProtocol
import Testing

@testable import LunaMQTT

@Suite("Whom a broker was told of") struct AnnouncedTrackersTests {
  private let folder: TemporaryFolder
  private let keys = DeviceUUID(high: 1, low: 2)
  private let bag = DeviceUUID(high: 3, low: 4)

  init() throws { folder = try #require(TemporaryFolder("luna-announced")) }

  private func file(_ base: String, broker: String = "localhost:1883") -> AnnouncedTrackers {
    AnnouncedTrackers(
      in: folder.path, broker: broker,
      HomeTopics(base: base, host: "attic", discovery: "homeassistant"))
  }

  @Test("The next run knows it, for the same broker and topics")
  func isKept() throws {
    #expect(file("home").read() == nil)
    try file("home").keep([keys, bag])
    #expect(file("home").read() == [keys, bag])
    #expect(file("other").read() == nil && file("home", broker: "localhost:1884").read() == nil)
    try file("other").keep([])
    #expect(file("other").read() == [] && file("home").read() == [keys, bag])
  }

  @Test("What another process keeps for the same topics stays")
  func isShared() throws {
    let (first, second) = (file("home"), file("home"))
    #expect(first.read() == nil && second.read() == nil)
    try first.keep([keys])
    try second.keep([bag])
    #expect(file("home").read() == [keys, bag])
    try first.keep([])
    #expect(file("home").read() == [bag])
  }

  @Test("Of a file that is something else nothing is known, and it is written anew")
  func isDamaged() throws {
    let path = "\(folder.path)/\(AnnouncedTrackers.fileName)"
    try FileOutput.write(Array("{]".utf8), to: path, replacing: true, isSecret: true)
    #expect(file("home").read() == nil)
    try file("home").keep([keys])
    #expect(file("home").read() == [keys])
  }

  @Test("A file that cannot be read is not written anew")
  func isUnreadable() throws {
    let path = "\(folder.path)/\(AnnouncedTrackers.fileName)"
    // Root may read what nobody may: a directory can be read by nobody.
    try #require(mkdir(path, 0o700) == 0)
    #expect(file("home").read() == nil)
    #expect(throws: FileInputError.self) { try file("home").keep([keys]) }
  }

  @Test("Nobody who keeps at the same moment loses an entry")
  func isKeptByMany() async throws {
    try await withThrowingTaskGroup { group in
      for index in 0..<8 {
        let file = file("home \(index)")
        group.addTask {
          for low in 0..<20 { try file.keep([DeviceUUID(high: 1, low: UInt64(low))]) }
        }
      }
      try await group.waitForAll()
    }
    for index in 0..<8 {
      #expect(file("home \(index)").read() == [DeviceUUID(high: 1, low: 19)])
    }
  }
}
