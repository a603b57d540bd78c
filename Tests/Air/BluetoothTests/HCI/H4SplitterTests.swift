import Foundation
import LunaTesting
import Testing

@testable import Bluetooth

@Suite struct H4SplitterTests {
  /// Type and bytes of every packet of a stream that arrives in pieces of `size` bytes.
  private func split(
    _ stream: [UInt8], _ size: Int
  ) -> (packets: [[UInt8]], splitter: H4Splitter) {
    var splitter = H4Splitter()
    var packets: [[UInt8]] = []
    var position = 0
    while position < stream.count {
      let piece = Array(stream[position..<min(stream.count, position + size)])
      position += size
      splitter.feed(piece.span) { type, bytes in
        packets.append([type.rawValue] + (0..<bytes.count).map { bytes[$0] })
      }
    }
    return (packets, splitter)
  }

  private static let commandComplete: [UInt8] = [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]
  private static let acl: [UInt8] = [0x02, 0x40, 0x20, 0x03, 0x00, 0xAA, 0xBB, 0xCC]
  private static let empty: [UInt8] = [0x04, 0x10, 0x00]
  private static let isochronous: [UInt8] = [0x05, 0x01, 0x00, 0x01, 0xC0, 0x77]
  private static let synchronous: [UInt8] = [0x03, 0x01, 0x00, 0x02, 0x11, 0x22]

  private static let packets = [commandComplete, acl, empty, isochronous, synchronous]

  @Test(arguments: 1...12)
  func splitsPiecesOfAnySize(_ size: Int) {
    let (packets, splitter) = split(H4SplitterTests.packets.flatMap(\.self), size)
    #expect(packets == H4SplitterTests.packets)
    #expect(splitter.pending == 0)
    #expect(splitter.garbage == 0)
  }

  @Test func keepsAnUnfinishedPacket() {
    let (packets, splitter) = split(Array(H4SplitterTests.acl.dropLast()), 100)
    #expect(packets.isEmpty)
    #expect(splitter.pending == 7)
  }

  @Test func skipsBytesThatAreNoIndicator() {
    let stream =
      [0x00, 0xFF, 0x99] + H4SplitterTests.commandComplete + [0x42] + H4SplitterTests.acl
    let (packets, splitter) = split(stream, 5)
    #expect(packets == [H4SplitterTests.commandComplete, H4SplitterTests.acl])
    #expect(splitter.garbage == 4)
  }

  @Test func doesNotWaitForALengthThatNobodySends() {
    // ACL data of 65,535 bytes: the indicator was no indicator.
    let stream: [UInt8] = [0x02, 0x00, 0x00, 0xFF, 0xFF] + H4SplitterTests.commandComplete
    let (packets, splitter) = split(stream, 3)
    #expect(packets == [H4SplitterTests.commandComplete])
    #expect(splitter.garbage == 5)
  }

  @Test func survivesAnything() {
    var generator = Seeded.drawn()
    for _ in 0..<200 {
      let stream = (0..<500).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let (packets, splitter) = split(stream, Int.random(in: 1...64, using: &generator))
      let taken = packets.reduce(0) { $0 + $1.count }
      #expect(taken + splitter.pending + Int(splitter.garbage) == stream.count)
    }
  }

  @Test(arguments: [1, 7, 4096])
  func readsARecordedStream(_ size: Int) throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../captures/bumble_hci_data_001.h4")
    let (packets, splitter) = split([UInt8](try Data(contentsOf: path)), size)
    // As tshark counts them: 101 events and 17 ACL packets.
    #expect(packets.count == 118)
    #expect(packets.count { $0[0] == HCIPacketType.event.rawValue } == 101)
    #expect(packets.count { $0[0] == HCIPacketType.acl.rawValue } == 17)
    #expect(splitter.pending == 0)
    #expect(splitter.garbage == 0)
  }
}
