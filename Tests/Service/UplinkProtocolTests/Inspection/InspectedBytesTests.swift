import LunaJSON
import Testing

@testable import UplinkProtocol

struct InspectedBytesTests {
  private func recording(_ payloads: [[UInt8]], isStream: Bool = true) throws -> Recording {
    let pair = "010.000.002.015.48080-208.085.042.032.00080"
    let packets = payloads.map { payload in
      let hex = payload.map { byte in
        let text = String(byte, radix: 16)
        return byte < 16 ? "0" + text : text
      }.joined()
      let rest = isStream ? #""response_len":9"# : #""end":false"#
      return #"{"c_s_pair":"\#(pair)","timestamp":0.5,"payload":"\#(hex)",\#(rest)}"#
    }
    let ends = isStream ? #"[],["\#(pair)"]"# : #"["48080"],[]"#
    return try Recording(
      Array("[[\(packets.joined(separator: ","))],\(ends),\"A\"]".utf8))
  }

  private func payloads(_ recording: Recording) -> [[UInt8]] {
    switch recording.packets {
    case .tcp(let requests): requests.map(\.payload)
    case .udp(let datagrams): datagrams.map(\.payload)
    }
  }

  @Test(arguments: [true, false])
  func packetsAreOneRow(isStream: Bool) throws {
    let first = try recording([[1, 2, 3], [], [4, 5]], isStream: isStream)
    let bytes = InspectedBytes(first)
    #expect(bytes.count == 5 && bytes.all == [1, 2, 3, 4, 5])
    let changed = bytes.inverted([0..<1, 2..<4])
    #expect(payloads(changed) == [[254, 2, 252], [], [251, 5]])
    #expect(changed.name == first.name && changed.pairs == first.pairs)
    #expect(changed.ports == first.ports)
    #expect(payloads(bytes.inverted([])) == payloads(first))
  }

  /// Networks check the lengths that a record of TLS begins with.
  @Test func beginningsOfTLSStay() throws {
    let hello = [0x16, 3, 1, 0, 16, 1, 0, 0, 12] + [UInt8](repeating: 7, count: 12)
    let bytes = InspectedBytes(try recording([hello, [0x17, 3, 3, 0], [0x16, 2, 0, 0]]))
    // From byte 10 on; a packet that is shorter has none, and the third is no TLS.
    #expect(bytes.count == 11 + 4)
    let changed = payloads(bytes.inverted([0..<15]))
    #expect(changed[0] == Array(hello.prefix(10)) + [UInt8](repeating: 248, count: 11))
    #expect(changed[1] == [0x17, 3, 3, 0] && changed[2] == [0xE9, 0xFD, 0xFF, 0xFF])
  }

  @Test func tenPacketsAreLookedAt() throws {
    let bytes = InspectedBytes(try recording([[UInt8]](repeating: [1, 2], count: 12)))
    #expect(bytes.count == 20)
    let changed = payloads(bytes.inverted([0..<20]))
    #expect(changed.count == 12 && changed[9] == [254, 253] && changed[10] == [1, 2])
  }

  @Test func whatIsFoundIsSaidPacketByPacket() throws {
    let bytes = InspectedBytes(
      try recording([Array("Host: luna.ex".utf8), Array("ample\r\n".utf8)]))
    func spans(_ alternatives: [[Range<Int>]], _ blocks: [Range<Int>] = []) -> [ByteSpan] {
      bytes.spans(
        of: MatchFinding(
          fields: [:], alternatives: alternatives, blocks: blocks, isContradictory: false))
    }
    let across = spans([[6..<18]])
    #expect(across.map(\.packet) == [1, 2] && across.map(\.range) == [6..<13, 0..<5])
    #expect(across[0].bytes == Array("luna.ex".utf8) && across.allSatisfy { $0.isExact })
    #expect(across.allSatisfy { $0.alternative == nil })
    #expect(
      across[1].json.description
        == #"{"packet":2,"left":0,"right":5,"hex":"616d706c65","text":"ample","exact":true}"#)
    let two = spans([[0..<1], [19..<20]])
    #expect(two.map(\.alternative) == [1, 2] && two[1].range == 6..<7)
    #expect(two[1].json.description.contains(#""hex":"0a","text":"."#))
    let rough = spans([], [4..<8])
    #expect(rough.count == 1 && !rough[0].isExact && rough[0].alternative == nil)
    #expect(spans([]).isEmpty)
  }
}
