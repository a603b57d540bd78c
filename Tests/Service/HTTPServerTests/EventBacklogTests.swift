import Testing

@testable import HTTPServer

@Suite struct EventBacklogTests {
  private func take(_ backlog: inout EventBacklog, _ room: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: room)
    let count = bytes.withUnsafeMutableBytes { backlog.take(into: $0) }
    return Array(bytes.prefix(count))
  }

  @Test(arguments: [1, 2, 3, 5, 100]) func givesWhatItGotInAnyPieces(room: Int) {
    var backlog = EventBacklog()
    for piece in [[1], [2, 3, 4], [5, 6]] as [[UInt8]] { backlog.append(piece) }
    var all: [UInt8] = []
    while backlog.byteCount > 0 { all += take(&backlog, room) }
    #expect(all == [1, 2, 3, 4, 5, 6])
    #expect(take(&backlog, room) == [])
    backlog.append([7])
    #expect(take(&backlog, room) == [7])
  }

  @Test func dropsEverything() {
    var backlog = EventBacklog()
    backlog.append([1, 2])
    _ = take(&backlog, 1)
    backlog.drop()
    #expect(backlog.byteCount == 0)
    #expect(take(&backlog, 9) == [])
  }

  @Test func dropsWhatHasNotBegun() {
    var backlog = EventBacklog()
    for piece in [[1, 2, 3], [4], [5]] as [[UInt8]] { backlog.append(piece) }
    _ = take(&backlog, 1)
    backlog.dropUnbegun()
    backlog.append([9])
    #expect(backlog.byteCount == 3)
    #expect(take(&backlog, 9) == [2, 3, 9])
    backlog.append([6])
    backlog.dropUnbegun()
    #expect(backlog.byteCount == 0)
  }
}
