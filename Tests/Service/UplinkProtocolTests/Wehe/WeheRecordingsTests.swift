import Testing

@testable import UplinkProtocol

/// What a server replays.
struct WeheRecordingsTests {
  private static let pairs = [1, 2].map { "010.000.000.001.4000\($0)-010.000.000.002.00080" }
  private static let tcp = """
    [[{"c_s_pair":"\(pairs[0])","timestamp":0,"payload":"6161","response_len":70000,"response_hash":null},
      {"c_s_pair":"\(pairs[1])","timestamp":0,"payload":"6162","response_len":3,"response_hash":null},
      {"c_s_pair":"\(pairs[0])","timestamp":1,"payload":"63","response_len":0,"response_hash":null}],
     [],["\(pairs[0])","\(pairs[1])"],"Luna-11252026"]
    """

  private let recordings: WeheRecordings
  private let name: ReplayName

  init() throws {
    var recordings = WeheRecordings()
    try recordings.add(Recording(Array(Self.tcp.utf8)), nil)
    self.recordings = recordings
    name = try #require(ReplayName("Luna-11252026"))
  }

  @Test func leadsClientsToItself() throws {
    let control = try #require(name.control)
    #expect(recordings.count == 2 && recordings.ports(true) == [80])
    #expect(recordings.ports(false).isEmpty)
    for name in [name, control] {
      #expect(
        recordings.map(of: name)
          == #"{"tcp":{"010.000.000.002":{"00080":["",80]}},"udp":{}}"#)
      let map = try #require(recordings.map(of: name))
      // As our own client reads it.
      let recording = try Recording(Array(Self.tcp.utf8))
      #expect(throws: Never.self) {
        try ReplayMap(Array(map.utf8), for: recording, at: "192.0.2.1")
      }
    }
    #expect(recordings.map(of: try #require(ReplayName("Other"))) == nil)
    #expect(recordings.senders(of: name) == 0)
  }

  @Test func connectionsAreKnownByWhatTheyBeginWith() throws {
    let second = try #require(
      recordings.connection(of: name, port: 80, beginning: Array("ab".utf8), besides: []))
    #expect(second.number == 1 && second.exchanges.map(\.answerLength) == [3])
    let first = try #require(
      recordings.connection(of: name, port: 80, beginning: Array("a".utf8), besides: [1]))
    #expect(first.number == 0 && first.exchanges.map(\.requestLength) == [2, 1])
    #expect(
      recordings.connection(of: name, port: 80, beginning: [1], besides: [0, 1]) == nil)
    #expect(recordings.connection(of: name, port: 81, beginning: [1], besides: []) == nil)
  }

  @Test func answersComeInPieces() {
    let pieces = AnswerPieces(.fill(count: 70_000, seed: 7)).map { $0 }
    #expect(pieces.map(\.count) == [65_536, 4_464])
    var generator = SplitMix64(seed: 7)
    let word = generator.next()
    #expect(pieces[0].prefix(2).elementsEqual([UInt8(word & 255), UInt8(word >> 8 & 255)]))
    #expect(AnswerPieces(.payload([1, 2, 3])).map { $0 } == [[1, 2, 3]])
    let long = (0..<150_000).map { UInt8(truncatingIfNeeded: $0) }
    #expect(AnswerPieces(.payload(long)).flatMap { $0 } == long)
  }
}
