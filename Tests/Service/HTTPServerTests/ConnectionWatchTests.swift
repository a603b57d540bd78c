import Glibc
import Testing

@testable import HTTPServer

@Suite struct ConnectionWatchTests {
  @Test func endsNoConnectionThatHasComeInThePlaceOfAnother() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    let watch = ConnectionWatch(limit: 0)
    func connect() throws -> Int {
      watch.add(1, socket: ends[0], client: ClientAddress([127, 0, 0, 1]), patience: .seconds(600))
      return try #require(watch.number(of: 1))
    }
    let former = try connect()
    watch.remove(1)
    let present = try connect()
    #expect(former != present)
    #expect(watch.isAbandoned(1, former) && !watch.isAbandoned(1, present))
    watch.cut(1, former)
    #expect(!watch.isAbandoned(1, present))
    watch.cut(1, present)
    #expect(watch.isAbandoned(1, present))
  }
}
