import EventLoop
import Glibc
import LunaTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct InputLinesTests {
  /// Writes pieces, and reads lines after each.
  private func lines(_ pieces: [String]) async throws -> [String] {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    var input = InputLines(ends[0])
    let writer = Task.detached { [end = ends[1]] in
      for piece in pieces {
        var piece = piece
        piece.withUTF8 { _ = write(end, $0.baseAddress, $0.count) }
        await Task.yield()
      }
      close(end)
    }
    var lines: [String] = []
    while let more = await input.next() {
      #expect(!more.isEmpty)
      lines += more
    }
    await writer.value
    return lines
  }

  @Test(
    arguments: [
      ([], []), (["a\nb\n"], ["a", "b"]), (["a\n\nb"], ["a", "", "b"]),
      (["a", "b", "\nc\n"], ["ab", "c"]),
      (["\n"], [""]), (["é", "\n"], ["é"]), (["a\r\nb\r"], ["a", "b\r"]),
    ] as [([String], [String])])
  func areThoseThatWereWritten(_ pieces: [String], _ expected: [String]) async throws {
    #expect(try await lines(pieces) == expected)
  }

  @Test func areWholeAcrossPieces() async throws {
    let long = String(repeating: "0123456789", count: 20_000)
    #expect(try await lines([long + "\n", "end"]) == [long, "end"])
  }

  @Test func tellWhatHasEndedThem() async {
    let directory = open("/", O_RDONLY | O_CLOEXEC)
    defer { close(directory) }
    var input = InputLines(directory)
    let first = await input.next()
    #expect(first == nil && input.failure == EISDIR)
  }

  @Test func endWithOneThatIsTooLong() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    var input = InputLines(ends[0], longest: 10)
    // Nobody ends the line, nor the input: it is not waited for.
    try #require(write(ends[1], "a\n", 2) == 2)
    let first = await input.next()
    #expect(first == ["a"])
    try #require(write(ends[1], "0123456789x", 11) == 11)
    for _ in 0..<2 {
      let next = await input.next()
      #expect(next == nil)
    }
  }

  /// Another program that shares a terminal or a pipe may have said that it does not block.
  @Test func areWaitedForAlsoWhereNothingBlocks() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    try #require(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
    let lines = Task { [end = ends[0]] in
      var input = InputLines(end)
      return await input.next()
    }
    for piece in ["a", "b", "c", "\n"] {
      try #require(write(ends[1], piece, 1) == 1)
      // It was read, and more is asked for.
      try await waitUntil { [end = ends[0]] in
        var query = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
        return poll(&query, 1, 0) == 0
      }
    }
    #expect(await lines.value == ["abc"])
  }
}
