/// The bytes of a recording that probes change, as one row: those of its first packets (UPLINK.md, 10).
package struct InspectedBytes: Sendable {
  /// How many packets are looked at.
  private static let packets = 10
  /// Where TLS is spoken networks check the lengths that a packet begins with.
  private static let head = 10

  /// The recording as it is.
  package let recording: Recording
  private let payloads: [[UInt8]]
  /// What is changed of each packet.
  private let parts: [Range<Int>]

  /// Those of a recording.
  package init(_ recording: Recording) {
    self.recording = recording
    switch recording.packets {
    case .tcp(let requests): payloads = requests.prefix(InspectedBytes.packets).map(\.payload)
    case .udp(let datagrams): payloads = datagrams.prefix(InspectedBytes.packets).map(\.payload)
    }
    parts = payloads.map { payload in
      let start = InspectedBytes.isTLS(payload) ? InspectedBytes.head : 0
      return min(start, payload.count)..<payload.count
    }
  }

  /// How many there are.
  package var count: Int { parts.reduce(0) { $0 + $1.count } }

  /// The bytes of all packets that are looked at, those among them that are not changed.
  package var all: [UInt8] { payloads.flatMap { $0 } }

  /// The recording with all bits of some bytes the other way round.
  package func inverted(_ ranges: [Range<Int>]) -> Recording {
    var payloads = payloads
    for place in places(of: ranges) {
      for index in place.range { payloads[place.packet][index] = ~payloads[place.packet][index] }
    }
    return recording.replacing(payloads)
  }

  /// What was found, packet by packet.
  package func spans(of finding: MatchFinding) -> [ByteSpan] {
    let isOne = finding.alternatives.count + (finding.blocks.isEmpty ? 0 : 1) <= 1
    var spans: [ByteSpan] = []
    for (index, ranges) in (finding.alternatives + [finding.blocks]).enumerated() {
      for place in places(of: ranges) {
        spans.append(
          ByteSpan(
            packet: place.packet + 1, range: place.range,
            bytes: Array(payloads[place.packet][place.range]),
            alternative: isOne ? nil : index + 1, isExact: index < finding.alternatives.count))
      }
    }
    return spans
  }

  /// Where bytes of the row are: in which packet, from 0, and where in that.
  private func places(of ranges: [Range<Int>]) -> [(packet: Int, range: Range<Int>)] {
    var places: [(packet: Int, range: Range<Int>)] = []
    for range in ranges {
      var start = 0
      for (packet, part) in parts.enumerated() {
        let common = range.clamped(to: start..<start + part.count)
        let shift = part.lowerBound - start
        if !common.isEmpty {
          places.append((packet, common.lowerBound + shift..<common.upperBound + shift))
        }
        start += part.count
      }
    }
    return places
  }

  /// Whether a packet begins with a record of TLS (RFC 8446, 5.1).
  private static func isTLS(_ payload: [UInt8]) -> Bool {
    payload.count > 2 && (0x14...0x17).contains(payload[0]) && payload[1] == 3 && payload[2] <= 4
  }
}
