import Testing

@testable import UplinkProtocol

/// What replays take on the link.
struct ReplayVolumeTests {
  @Test func dataHeadersAndConversationCount() throws {
    let recording = try RecordingTests.read(RecordingTests.file([RecordingTests.tcp()]))
    // 4 bytes there, 1,914,340 back, 8 % of them for headers, one packet.
    let expected: Int64 = 1_914_344 + 153_144 + 140 + 40_000
    #expect(ReplayVolume.expected(recording) == expected)
    #expect(ReplayVolume.bytes(0, of: recording) == 40_140)
  }

  @Test func onlyTheServerKnowsOverUDP() throws {
    let text = RecordingTests.file(
      [RecordingTests.udp()], ports: #"["48080"]"#, pairs: "[]")
    #expect(ReplayVolume.expected(try RecordingTests.read(text)) == nil)
  }
}
