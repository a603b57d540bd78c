import Bluetooth
import LunaTesting
import Testing

/// Exchanges byte by byte, as the Core Specification, Vol 3, Part F, 3.4, describes the PDUs.
@Suite struct ATTServerTests {
  private static let level = BluetoothUUID.bit16(0x2A07)
  private static let long = BluetoothUUID.bit128(
    high: 0x38EB_0002_FC56_5CB4, low: 0xA0F2_DAD2_99D5_501D)
  private static let service = BluetoothUUID.bit128(
    high: 0x38EB_0000_FC56_5CB4, low: 0xA0F2_DAD2_99D5_501D)
  private static let tail: [UInt8] = [
    0x1D, 0x50, 0xD5, 0x99, 0xD2, 0xDA, 0xF2, 0xA0, 0xB4, 0x5C, 0x56, 0xFC,
  ]

  /// Handles: 1 service 1800 (2 declaration, 3 name, 4 declaration, 5 appearance), 6 service 1801,
  /// 7 service 1804 (8 declaration, 9 level), 10 a service of ours (11 declaration, 12 value that can
  /// be read, written and indicated, 13 configuration; 14 declaration, 15 value to be read only).
  private static let services =
    GATTService.required(name: "Luna", appearance: 0x0200) + [
      GATTService(.bit16(0x1804), [.init(level, .read, constant: [0xFC])]),
      GATTService(
        service, [.init(long, [.read, .write, .indicate]), .init(.bit16(0x1234), .read)]),
    ]

  private var server = ATTServer(ATTServerTests.services)

  private mutating func ask(_ bytes: [UInt8]) -> [ATTServerAction] { server.receive(bytes) }

  private func bigger(_ mtu: UInt16 = 517) -> ATTServer {
    var server = server
    _ = server.receive([0x02, UInt8(mtu & 0xFF), UInt8(mtu >> 8)])
    return server
  }

  @Test(arguments: [
    (asked: UInt16(0), agreed: 23), (22, 23), (23, 23), (64, 64), (517, 517), (0xFFFF, 517),
  ])
  func agreesOnAnMTU(asked: UInt16, agreed: Int) {
    var server = server
    let actions = server.receive([0x02, UInt8(asked & 0xFF), UInt8(asked >> 8)])
    #expect(actions == [.send([0x03, 0x05, 0x02]), .mtu(agreed)])
    #expect(server.mtu == agreed)
  }

  @Test mutating func tellsItsOwnLargestMTU() {
    server = ATTServer(ATTServerTests.services, largestMTU: 23)
    #expect(ask([0x02, 0xF7, 0x00]) == [.send([0x03, 0x17, 0x00]), .mtu(23)])
  }

  @Test mutating func listsServicesOfOneWidthAtATime() {
    // range 1 to FFFF, type 2800: three services of 16 bits
    #expect(
      ask([0x10, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28]) == [
        .send([
          0x11, 0x06, 0x01, 0x00, 0x05, 0x00, 0x00, 0x18, 0x06, 0x00, 0x06, 0x00, 0x01, 0x18,
          0x07, 0x00, 0x09, 0x00, 0x04, 0x18,
        ])
      ])
    #expect(
      ask([0x10, 0x0A, 0x00, 0xFF, 0xFF, 0x00, 0x28]) == [
        .send([0x11, 0x14, 0x0A, 0x00, 0x0F, 0x00] + ATTServerTests.tail + [0, 0, 0xEB, 0x38])
      ])
    // the end of the list: attribute not found, at the first handle asked for
    #expect(
      ask([0x10, 0x10, 0x00, 0xFF, 0xFF, 0x00, 0x28]) == [
        .send([0x01, 0x10, 0x10, 0x00, 0x0A])
      ])
  }

  @Test mutating func doesNotGroupOtherTypes() {
    #expect(
      ask([0x10, 0x01, 0x00, 0xFF, 0xFF, 0x03, 0x28]) == [.send([0x01, 0x10, 0x01, 0x00, 0x10])])
    #expect(
      ask([0x10, 0x01, 0x00, 0xFF, 0xFF, 0x01, 0x28]) == [.send([0x01, 0x10, 0x01, 0x00, 0x0A])])
  }

  @Test(arguments: [UInt8(0x04), 0x08, 0x10])
  func refusesRangesThatAreNone(opcode: UInt8) {
    var server = server
    let type: [UInt8] = opcode == 0x04 ? [] : [0x00, 0x28]
    #expect(
      server.receive([opcode, 0, 0, 0xFF, 0xFF] + type) == [.send([0x01, opcode, 0, 0, 0x01])])
    #expect(
      server.receive([opcode, 5, 0, 4, 0] + type) == [.send([0x01, opcode, 5, 0, 0x01])])
  }

  @Test mutating func findsAServiceByItsUUIDInEitherWidth() {
    #expect(
      ask([0x06, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28, 0x04, 0x18]) == [
        .send([0x07, 0x07, 0x00, 0x09, 0x00])
      ])
    let full: [UInt8] = [
      0xFB, 0x34, 0x9B, 0x5F, 0x80, 0x00, 0x00, 0x80, 0x00, 0x10, 0x00, 0x00, 0x04, 0x18, 0, 0,
    ]
    #expect(
      ask([0x06, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28] + full) == [
        .send([0x07, 0x07, 0x00, 0x09, 0x00])
      ])
    #expect(
      ask([0x06, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28, 0x0F, 0x18]) == [
        .send([0x01, 0x06, 0x01, 0x00, 0x0A])
      ])
  }

  @Test mutating func listsCharacteristics() {
    // handle, properties, handle of the value, UUID; those of 16 bits first
    #expect(
      ask([0x08, 0x01, 0x00, 0xFF, 0xFF, 0x03, 0x28]) == [
        .send([
          0x09, 0x07, 0x02, 0x00, 0x02, 0x03, 0x00, 0x00, 0x2A, 0x04, 0x00, 0x02, 0x05, 0x00,
          0x01, 0x2A, 0x08, 0x00, 0x02, 0x09, 0x00, 0x07, 0x2A,
        ])
      ])
    #expect(
      ask([0x08, 0x0A, 0x00, 0xFF, 0xFF, 0x03, 0x28]) == [
        .send(
          [0x09, 0x15, 0x0B, 0x00, 0x2A, 0x0C, 0x00] + ATTServerTests.tail + [2, 0, 0xEB, 0x38])
      ])
  }

  @Test mutating func tellsTypesOfOneWidthAtATime() {
    #expect(
      ask([0x04, 0x0A, 0x00, 0x0F, 0x00]) == [
        .send([0x05, 0x01, 0x0A, 0x00, 0x00, 0x28, 0x0B, 0x00, 0x03, 0x28])
      ])
    #expect(
      ask([0x04, 0x0C, 0x00, 0x0D, 0x00]) == [
        .send([0x05, 0x02, 0x0C, 0x00] + ATTServerTests.tail + [2, 0, 0xEB, 0x38])
      ])
    #expect(
      ask([0x04, 0x0D, 0x00, 0x0D, 0x00]) == [.send([0x05, 0x01, 0x0D, 0x00, 0x02, 0x29])])
    #expect(ask([0x04, 0x40, 0, 0x50, 0]) == [.send([0x01, 0x04, 0x40, 0, 0x0A])])
  }

  @Test mutating func readsConstants() {
    #expect(ask([0x0A, 0x03, 0x00]) == [.send([0x0B] + Array("Luna".utf8))])
    #expect(ask([0x0A, 0x09, 0x00]) == [.send([0x0B, 0xFC])])
    #expect(ask([0x0C, 0x03, 0x00, 0x02, 0x00]) == [.send([0x0D] + Array("na".utf8))])
    #expect(ask([0x0C, 0x03, 0x00, 0x04, 0x00]) == [.send([0x0D])])
    #expect(ask([0x0C, 0x03, 0x00, 0x05, 0x00]) == [.send([0x01, 0x0C, 0x03, 0x00, 0x07])])
    // by type: the names of all there are
    #expect(
      ask([0x08, 0x01, 0, 0xFF, 0xFF, 0x00, 0x2A])
        == [.send([0x09, 0x06, 0x03, 0x00] + Array("Luna".utf8))])
  }

  @Test mutating func asksForOtherValues() {
    #expect(ask([0x0A, 0x0C, 0x00]) == [.read(ATTServerTests.long, offset: 0)])
    let value = (0..<54).map { UInt8($0) }
    #expect(server.respond(.value(value)) == [.send([0x0B] + value[..<22])])
    #expect(ask([0x0C, 0x0C, 0x00, 22, 0x00]) == [.read(ATTServerTests.long, offset: 22)])
    #expect(
      server.respond(.value(Array(value[22...]))) == [.send([0x0D] + value[22..<44])])
    #expect(ask([0x0C, 0x0C, 0x00, 44, 0x00]) == [.read(ATTServerTests.long, offset: 44)])
    #expect(server.respond(.value(Array(value[44...]))) == [.send([0x0D] + value[44...])])
    server = bigger()
    _ = ask([0x0A, 0x0C, 0x00])
    #expect(server.respond(.value(value)) == [.send([0x0B] + value)])
  }

  @Test mutating func asksForAValueByItsType() {
    // type of 128 bits
    let request: [UInt8] =
      [0x08, 0x01, 0x00, 0xFF, 0xFF] + ATTServerTests.tail + [2, 0, 0xEB, 0x38]
    #expect(ask(request) == [.read(ATTServerTests.long, offset: 0)])
    let value = (0..<30).map { UInt8($0) }
    #expect(server.respond(.value(value)) == [.send([0x09, 21, 0x0C, 0x00] + value[..<19])])
  }

  @Test mutating func passesRefusalsOn() {
    _ = ask([0x0A, 0x0C, 0x00])
    #expect(server.respond(.refused(.unlikelyError)) == [.send([0x01, 0x0A, 0x0C, 0x00, 0x0E])])
    _ = ask([0x12, 0x0C, 0x00, 0x01])
    #expect(
      server.respond(.refused(.writeNotPermitted)) == [.send([0x01, 0x12, 0x0C, 0x00, 0x03])])
    #expect(server.respond(.written).isEmpty)
  }

  @Test mutating func namesHandlesThatAreNoneOrNotForThat() {
    #expect(ask([0x0A, 0x00, 0x00]) == [.send([0x01, 0x0A, 0x00, 0x00, 0x01])])
    #expect(ask([0x0A, 0x10, 0x00]) == [.send([0x01, 0x0A, 0x10, 0x00, 0x01])])
    #expect(ask([0x12, 0x10, 0x00, 1]) == [.send([0x01, 0x12, 0x10, 0x00, 0x01])])
    #expect(ask([0x12, 0x03, 0x00, 1]) == [.send([0x01, 0x12, 0x03, 0x00, 0x03])])
    #expect(ask([0x12, 0x01, 0x00, 1]) == [.send([0x01, 0x12, 0x01, 0x00, 0x03])])
    #expect(ask([0x12, 0x0F, 0x00, 1]) == [.send([0x01, 0x12, 0x0F, 0x00, 0x03])])
    #expect(
      ask([0x16, 0x0F, 0x00, 0, 0, 1]) == [.send([0x01, 0x16, 0x0F, 0x00, 0x03])])
  }

  @Test mutating func writes() {
    #expect(ask([0x12, 0x0C, 0x00, 7, 8, 9]) == [.write(ATTServerTests.long, [7, 8, 9])])
    #expect(server.respond(.written) == [.send([0x13])])
    // Without response: nothing here takes it.
    #expect(ask([0x52, 0x0C, 0x00, 7]).isEmpty)
    #expect(ask([0xD2, 0x0C, 0x00, 7] + [UInt8](repeating: 0, count: 12)).isEmpty)
  }

  @Test mutating func putsLongWritesTogether() {
    let value = (0..<50).map { UInt8($0) }
    for start in stride(from: 0, to: 50, by: 18) {
      let part = Array(value[start..<min(start + 18, 50)])
      let request: [UInt8] = [0x16, 0x0C, 0x00, UInt8(start), 0x00] + part
      #expect(ask(request) == [.send([0x17] + request[1...])])
    }
    #expect(ask([0x18, 0x01]) == [.write(ATTServerTests.long, value)])
    #expect(server.respond(.written) == [.send([0x19])])
    // The queue is empty now.
    #expect(ask([0x18, 0x01]) == [.send([0x19])])
  }

  @Test mutating func writesOverWhatWasPrepared() {
    _ = ask([0x16, 0x0C, 0x00, 0, 0, 1, 2, 3, 4])
    _ = ask([0x16, 0x0C, 0x00, 1, 0, 9, 9])
    _ = ask([0x16, 0x0D, 0x00, 0, 0, 2, 0])
    _ = ask([0x16, 0x0C, 0x00, 4, 0, 5])
    #expect(ask([0x18, 0x01]) == [.write(ATTServerTests.long, [1, 9, 9, 4, 5])])
    #expect(server.respond(.written) == [.send([0x19])])
    #expect(ask([0x0A, 0x0D, 0x00]) == [.send([0x0B, 2, 0])])
  }

  @Test mutating func forgetsWhatWasPrepared() {
    _ = ask([0x16, 0x0C, 0x00, 0, 0, 1])
    #expect(ask([0x18, 0x00]) == [.send([0x19])])
    #expect(ask([0x18, 0x01]) == [.send([0x19])])
  }

  @Test mutating func refusesHolesAndTooMuch() {
    _ = ask([0x16, 0x0C, 0x00, 1, 0, 1])
    #expect(ask([0x18, 0x01]) == [.send([0x01, 0x18, 0x0C, 0x00, 0x07])])
    #expect(ask([0x18, 0x01]) == [.send([0x19])])
    server = bigger()
    let part = [UInt8](repeating: 1, count: 500)
    _ = ask([0x16, 0x0C, 0x00, 0, 0] + part)
    _ = ask([0x16, 0x0C, 0x00, 0xF4, 0x01] + part)
    #expect(
      ask([0x16, 0x0C, 0x00, 0, 0] + part) == [.send([0x01, 0x16, 0x0C, 0x00, 0x09])])
    #expect(ask([0x18, 0x01]) == [.send([0x01, 0x18, 0x0C, 0x00, 0x0D])])
  }

  @Test mutating func boundsTheParts() {
    var answers: [ATTServerAction] = []
    for _ in 0..<65 { answers += ask([0x16, 0x0C, 0x00, 0, 0]) }
    #expect(answers.last == .send([0x01, 0x16, 0x0C, 0x00, 0x09]))
    #expect(answers.dropLast().allSatisfy { $0 == .send([0x17, 0x0C, 0x00, 0, 0]) })
  }

  @Test mutating func keepsLessWhereValuesAreShort() {
    server = ATTServer(ATTServerTests.services, longestValue: 64)
    // 128 bytes, in 8 parts
    for _ in 0..<8 { #expect(ask([0x16, 0x0C, 0x00, 0, 0]) == [.send([0x17, 0x0C, 0x00, 0, 0])]) }
    #expect(ask([0x16, 0x0C, 0x00, 0, 0]) == [.send([0x01, 0x16, 0x0C, 0x00, 0x09])])
    #expect(ask([0x18, 0x00]) == [.send([0x19])])
    for offset in stride(from: 0, to: 65, by: 16) {
      _ = ask([0x16, 0x0C, 0x00, UInt8(offset), 0] + [UInt8](repeating: 1, count: 16))
    }
    #expect(ask([0x18, 0x01]) == [.send([0x01, 0x18, 0x0C, 0x00, 0x0D])])
  }

  @Test mutating func stopsAtAPartThatIsRefused() {
    _ = ask([0x16, 0x0C, 0x00, 0, 0, 1])
    _ = ask([0x16, 0x0D, 0x00, 0, 0, 2, 0])
    _ = ask([0x18, 0x01])
    #expect(
      server.respond(.refused(.unlikelyError)) == [.send([0x01, 0x18, 0x0C, 0x00, 0x0E])])
    #expect(ask([0x0A, 0x0D, 0x00]) == [.send([0x0B, 0, 0])])
  }

  @Test mutating func indicatesToThoseWhoWantIt() {
    #expect(server.indicate(ATTServerTests.long, [1]).isEmpty)
    #expect(ask([0x12, 0x0D, 0x00, 1, 0]) == [.send([0x01, 0x12, 0x0D, 0x00, 0xFD])])
    #expect(ask([0x12, 0x0D, 0x00, 2]) == [.send([0x01, 0x12, 0x0D, 0x00, 0x0D])])
    #expect(ask([0x12, 0x0D, 0x00, 2, 0]) == [.send([0x13])])
    #expect(ask([0x0A, 0x0D, 0x00]) == [.send([0x0B, 2, 0])])
    let value = (0..<53).map { UInt8($0) }
    #expect(
      server.indicate(ATTServerTests.long, value) == [
        .send([0x1D, 0x0C, 0x00] + value[..<20]), .startTimer,
      ])
    // The next one waits for the confirmation.
    #expect(server.indicate(ATTServerTests.long, [2]).isEmpty)
    #expect(ask([0x1E]) == [.stopTimer, .send([0x1D, 0x0C, 0x00, 2]), .startTimer])
    #expect(ask([0x1E]) == [.stopTimer])
    #expect(ask([0x1E]).isEmpty)
    #expect(ask([0x12, 0x0D, 0x00, 0, 0]) == [.send([0x13])])
    #expect(server.indicate(ATTServerTests.long, [3]).isEmpty)
  }

  @Test mutating func endsTheLinkWhenNothingIsConfirmed() {
    _ = ask([0x12, 0x0D, 0x00, 2, 0])
    #expect(server.confirmationTimedOut().isEmpty)
    _ = server.indicate(ATTServerTests.long, [1])
    let actions = server.confirmationTimedOut()
    #expect(actions.first == .stopTimer)
    guard case .end = actions.last else {
      Issue.record("the link goes on: \(actions)")
      return
    }
    #expect(ask([0x0A, 0x03, 0x00]).isEmpty)
  }

  @Test mutating func boundsTheIndicationsThatWait() {
    _ = ask([0x12, 0x0D, 0x00, 2, 0])
    var actions: [ATTServerAction] = []
    for number in 0..<18 { actions += server.indicate(ATTServerTests.long, [UInt8(number)]) }
    guard case .end = actions.last else {
      Issue.record("it goes on: \(actions)")
      return
    }
  }

  @Test mutating func finishesWhenAllIsConfirmed() {
    _ = ask([0x12, 0x0D, 0x00, 2, 0])
    _ = server.indicate(ATTServerTests.long, [1])
    _ = server.indicate(ATTServerTests.long, [2])
    #expect(server.finish().isEmpty)
    #expect(ask([0x0A, 0x0C, 0x00]).isEmpty, "nothing is answered any more")
    #expect(ask([0x1E]) == [.stopTimer, .send([0x1D, 0x0C, 0x00, 2]), .startTimer])
    #expect(ask([0x1E]) == [.stopTimer, .end("all is said")])
    server = ATTServer(ATTServerTests.services)
    #expect(server.finish() == [.end("all is said")])
  }

  @Test mutating func answersInOrderWhoAsksTooEarly() {
    #expect(ask([0x0A, 0x0C, 0x00]) == [.read(ATTServerTests.long, offset: 0)])
    #expect(ask([0x0A, 0x09, 0x00]).isEmpty)
    #expect(ask([0x12, 0x0C, 0x00, 5]).isEmpty)
    #expect(
      server.respond(.value([1])) == [
        .send([0x0B, 1]), .send([0x0B, 0xFC]), .write(ATTServerTests.long, [5]),
      ])
  }

  @Test mutating func endsTheLinkOfWhoDoesNotWait() {
    _ = ask([0x0A, 0x0C, 0x00])
    var actions: [ATTServerAction] = []
    for _ in 0..<9 { actions += ask([0x0A, 0x09, 0x00]) }
    guard case .end = actions.last else {
      Issue.record("it goes on: \(actions)")
      return
    }
    #expect(server.respond(.value([1])).isEmpty)
  }

  @Test mutating func refusesWhatIsMalformedOrUnknown() {
    #expect(ask([]).isEmpty)
    #expect(ask([0x0A, 0x01]) == [.send([0x01, 0x0A, 0, 0, 0x04])])
    #expect(ask([0x18, 0x02]) == [.send([0x01, 0x18, 0, 0, 0x04])])
    #expect(ask([0x0E, 3, 0, 5, 0]) == [.send([0x01, 0x0E, 0, 0, 0x06])])
    #expect(ask([0x20, 3, 0, 5, 0]) == [.send([0x01, 0x20, 0, 0, 0x06])])
    #expect(ask([0x3E]) == [.send([0x01, 0x3E, 0, 0, 0x06])])
    // A command that nobody knows, and answers to what was not asked.
    #expect(ask([0x7E, 1, 2]).isEmpty)
    #expect(ask([0x0B, 1]).isEmpty)
    #expect(ask([0x01, 0x0A, 0, 0, 1]).isEmpty)
    // The other side's own indications are confirmed.
    #expect(ask([0x1D, 3, 0, 1]) == [.send([0x1E])])
    #expect(ask([0x12] + [UInt8](repeating: 12, count: 517)) == [.send([0x01, 0x12, 0, 0, 0x04])])
  }

  @Test mutating func refusesPDUsThatAreLongerThanAgreed() {
    // The answer would be a copy of it.
    let request: [UInt8] = [0x16, 0x0C, 0, 0, 0] + [UInt8](repeating: 1, count: 19)
    #expect(ask(request) == [.send([0x01, 0x16, 0, 0, 0x04])])
    server = bigger(24)
    #expect(ask(request) == [.send([0x17] + request[1...])])
  }

  @Test mutating func randomPDUsGetOneAnswerThatFits() {
    var generator = Seeded.drawn()
    for _ in 0..<20_000 {
      let opcode = UInt8.random(in: 0...0x21, using: &generator)
      let count = Int.random(in: 0...24, using: &generator)
      let bytes = [opcode] + (0..<count).map { _ in UInt8.random(in: 0...16, using: &generator) }
      var actions = ask(bytes)
      while actions.contains(where: { if case .send = $0 { false } else { true } }) {
        let isRead = actions.contains { if case .read = $0 { true } else { false } }
        let isWrite = actions.contains { if case .write = $0 { true } else { false } }
        guard isRead || isWrite else { break }
        actions = server.respond(isRead ? .value(bytes) : .written)
      }
      for case .send(let pdu) in actions { #expect(pdu.count <= server.mtu, "\(bytes)") }
      #expect(actions.count <= 2, "\(bytes): \(actions)")
      server = opcode == 0x02 ? ATTServer(ATTServerTests.services) : server
    }
  }
}
