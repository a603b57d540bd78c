import Glibc
import ServiceManager
import Testing

/// When lines begin with how much they matter.
@Suite struct JournalStreamTests {
  @Test func knowsTheJournalByDeviceAndInode() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    var status = stat()
    try #require(fstat(ends[1], &status) == 0)
    let name = "\(status.st_dev):\(status.st_ino)"
    let stream = JournalStream(descriptor: ends[1], name: name)
    #expect(stream.isJournal)
    #expect(stream.prefix(.error) == "<3>")
    #expect(stream.prefix(.warning) == "<4>")
    #expect(stream.prefix(.info) == "<6>")
    #expect(stream.prefix(.debug) == "<7>")
    // Another file, as after a redirection in a unit's script, or a descriptor that is closed.
    for other in [
      JournalStream(descriptor: 0, name: name), JournalStream(descriptor: -1, name: name),
    ] {
      #expect(!other.isJournal)
      #expect(other.prefix(.error).isEmpty)
    }
    for wrong in [nil, "", "1", "\(name)0"] {
      #expect(!JournalStream(descriptor: ends[1], name: wrong).isJournal)
    }
  }
}
