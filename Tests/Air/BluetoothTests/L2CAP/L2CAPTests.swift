import Testing

@testable import Bluetooth

@Suite struct L2CAPTests {
  private func packet(_ boundary: UInt8, _ data: [UInt8]) -> HCIACLPacket {
    HCIACLPacket(handle: 0x40, boundary: boundary, data: data)
  }

  @Test func splitsAFrame() {
    let frame = L2CAPFrame(channel: L2CAPChannel.attribute, payload: [1, 2, 3, 4, 5])
    // length 2, channel 2, payload
    #expect(
      frame.fragments(for: 0x40, size: 27) == [
        packet(0, [0x05, 0x00, 0x04, 0x00, 1, 2, 3, 4, 5])
      ])
    #expect(
      frame.fragments(for: 0x40, size: 4) == [
        packet(0, [0x05, 0x00, 0x04, 0x00]), packet(1, [1, 2, 3, 4]), packet(1, [5]),
      ])
    #expect(frame.fragments(for: 0x40, size: 0).count == 9)
  }

  @Test(arguments: [1, 2, 3, 5, 8, 27, 251, 600])
  func putsAFrameTogether(_ size: Int) {
    let frame = L2CAPFrame(
      channel: L2CAPChannel.attribute, payload: (0..<517).map { UInt8(truncatingIfNeeded: $0) })
    var assembler = L2CAPAssembler()
    for _ in 0..<2 {
      var frames: [L2CAPFrame] = []
      for fragment in frame.fragments(for: 0x40, size: size) {
        // A controller marks beginnings with 2, this side with 0.
        let boundary: UInt8 = fragment.boundary == 0 ? 2 : 1
        frames += [assembler.take(packet(boundary, fragment.data))].compactMap(\.self)
      }
      #expect(frames == [frame])
    }
    #expect(assembler.damaged == 0)
    #expect(assembler.pending == 0)
  }

  @Test func takesAnEmptyFrame() {
    var assembler = L2CAPAssembler()
    #expect(
      assembler.take(packet(2, [0, 0, 4, 0])) == L2CAPFrame(channel: 4, payload: []))
  }

  @Test func givesUpWhatIsBrokenOff() {
    var assembler = L2CAPAssembler()
    #expect(assembler.take(packet(2, [3, 0, 4, 0, 1])) == nil)
    #expect(assembler.take(packet(2, [1, 0, 4, 0, 9]))?.payload == [9])
    #expect(assembler.damaged == 1)
  }

  @Test func ignoresTheRestOfWhatItNeverSaw() {
    var assembler = L2CAPAssembler()
    #expect(assembler.take(packet(1, [1, 0, 4, 0, 9])) == nil)
    #expect(assembler.pending == 0)
    #expect(assembler.take(packet(2, [1, 0, 4, 0, 9]))?.payload == [9])
  }

  @Test func refusesBytesBehindTheEnd() {
    var assembler = L2CAPAssembler()
    #expect(assembler.take(packet(2, [1, 0, 4, 0, 9, 9])) == nil)
    #expect(assembler.damaged == 1)
    #expect(assembler.take(packet(1, [1])) == nil)
    #expect(assembler.take(packet(2, [1, 0, 4, 0, 9]))?.payload == [9])
  }

  @Test func skipsWhatIsTooLong() {
    var assembler = L2CAPAssembler()
    // 0x0401 bytes are announced
    #expect(assembler.take(packet(2, [0x01, 0x04, 4, 0])) == nil)
    for _ in 0..<100 {
      #expect(assembler.take(packet(1, [UInt8](repeating: 1, count: 27))) == nil)
      #expect(assembler.pending == 0)
    }
    #expect(assembler.damaged == 1)
    #expect(assembler.take(packet(2, [1, 0, 4, 0, 9]))?.payload == [9])
  }

  @Test func putsOnlyTogetherWhatIsWanted() {
    var assembler = L2CAPAssembler(longestPayload: 2)
    #expect(assembler.take(packet(2, [2, 0, 4, 0, 8, 9]))?.payload == [8, 9])
    #expect(assembler.take(packet(2, [3, 0, 4, 0])) == nil)
    #expect(assembler.take(packet(1, [1, 2, 3])) == nil)
    #expect(assembler.damaged == 1 && assembler.pending == 0)
  }

  @Test func keepsLittleOfAFrameWithoutAnEnd() {
    var assembler = L2CAPAssembler()
    #expect(assembler.take(packet(2, [0x00, 0x04, 4, 0])) == nil)
    for _ in 0..<10_000 {
      _ = assembler.take(packet(1, [1]))
      #expect(assembler.pending <= L2CAPAssembler.longestPayload + 4)
    }
  }
}
