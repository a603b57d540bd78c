import Bluetooth
import Diagnosis
import Testing

@testable import LunaBuzzer

struct IdentifyMachineTests {
  private static let offer = GATTCharacteristic(
    service: DULTRules.service, uuid: DULTRules.characteristic, properties: [.write, .indicate],
    handle: 9)

  /// Runs a machine against a tracker that answers by a table; returns all that was told.
  private func ask(
    patience: Duration = .zero, _ answer: (UInt16, Int) -> ConversationEvent
  ) -> (news: [IdentifyNews], error: BuzzerError?, questions: [UInt16]) {
    var machine = IdentifyMachine(limit: .seconds(5), identifierWithin: patience)
    var event = ConversationEvent.connected([Self.offer])
    var news: [IdentifyNews] = []
    var questions: [UInt16] = []
    var elapsed = Duration.zero
    while questions.count < 100 {
      switch machine.handle(event, at: elapsed) {
      case .subscribe: event = .subscribed
      case .write(let bytes, _):
        questions.append(UInt16(bytes[0]) | UInt16(bytes[1]) << 8)
        event = .written
      case .receive(_, let limit):
        elapsed += .milliseconds(100)
        if limit == IdentifyMachine.identifierPause {
          elapsed += limit
          event = .silence
        } else {
          event = answer(questions.last ?? 0, questions.count)
        }
      case .tell(let told):
        news.append(told)
        event = .told
      case .leave: return (news, nil, questions)
      case .fail(let error): return (news, error, questions)
      case .again: return (news, nil, questions)
      }
    }
    return (news, nil, questions)
  }

  private static func refusal(_ opcode: UInt16) -> ConversationEvent {
    .value([0x02, 0x03, UInt8(opcode & 255), UInt8(opcode >> 8), 0xFF, 0xFF])
  }

  static let operands: [UInt16: [UInt8]] = [
    0x0003: [1, 2, 3, 4, 5, 6, 7, 8], 0x0004: Array("Acme".utf8),
    0x0005: Array("Tag 1".utf8) + [UInt8](repeating: 0, count: 59),
    0x0006: [158, 0, 0, 0, 0, 0, 0, 0], 0x0007: [0, 0, 1, 0], 0x0008: [0b1011, 0, 0, 0],
    0x0009: [2], 0x000A: [3, 2, 1, 0], 0x000B: [1], 0x000C: [2], 0x000D: [4, 0, 0, 1],
    0x0404: [0xDE, 0xAD, 0xBE, 0xEF],
  ]

  private static func answer(_ opcode: UInt16) -> ConversationEvent {
    let reply = opcode == 0x0404 ? 0x0405 : opcode | 0x0800
    return .value([UInt8(reply & 255), UInt8(reply >> 8)] + (operands[opcode] ?? []))
  }

  @Test func learnsEverything() throws {
    let result = ask { opcode, _ in Self.answer(opcode) }
    #expect(result.questions == [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0x0404])
    guard case .known(let identity)? = result.news.first else {
      Issue.record("nothing known")
      return
    }
    #expect(result.news.count == 1)
    #expect(identity.productData == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(identity.manufacturer == "Acme")
    #expect(identity.model == "Tag 1")
    #expect(identity.categoryName == "keys")
    #expect(identity.protocolVersion?.description == "1.0.0")
    #expect(identity.capabilities?.names == ["sound", "motionDetector", "identifierByBLE"])
    #expect(identity.networkName == "Google")
    #expect(identity.firmware?.description == "1.2.3")
    #expect(identity.batteryTypeName == "non-rechargeable")
    #expect(identity.batteryLevelName == "low")
    #expect(identity.networkVersion?.description == "256.0.4")
    #expect(identity.identifier == [0xDE, 0xAD, 0xBE, 0xEF])
  }

  @Test func leavesOutWhatIsNotOffered() throws {
    let result = ask { opcode, _ in opcode == 4 ? Self.answer(4) : Self.refusal(opcode) }
    guard case .known(let identity)? = result.news.first else {
      Issue.record("nothing known")
      return
    }
    var expected = TrackerIdentity()
    expected.manufacturer = "Acme"
    #expect(identity == expected)
  }

  @Test func explainsThatTheOwnerIsNear() {
    let result = ask { opcode, _ in Self.refusal(opcode) }
    #expect(result.error?.kind == .notSeparated)
    #expect(result.news.isEmpty)
    #expect(!result.questions.contains(0x0404))
  }

  @Test func givesUpOnATrackerThatIsDumb() {
    let result = ask { _, _ in .silence }
    #expect(result.error?.kind == .noAnswer)
    #expect(result.questions.count == 2)
  }

  /// Each question that is not answered costs less than the first one.
  @Test func asksMoreBrieflyOnceItWasSilent() {
    var machine = IdentifyMachine(limit: .seconds(10), identifierWithin: .zero)
    var event = ConversationEvent.connected([Self.offer])
    var elapsed = Duration.zero
    var question: UInt16 = 0
    loop: while elapsed < .seconds(200) {
      switch machine.handle(event, at: elapsed) {
      case .subscribe: event = .subscribed
      case .write(let bytes, _):
        question = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
        event = .written
      case .receive(_, let limit):
        if question == 4 {
          event = Self.answer(4)
        } else {
          elapsed += limit
          event = .silence
        }
      case .tell: event = .told
      default: break loop
      }
    }
    #expect(elapsed == .seconds(10 + 10 * 3))
  }

  @Test func tellsWhatItKnowsWhenTheTimeIsOver() {
    let result = ask { opcode, _ in opcode < 6 ? Self.answer(opcode) : .timeIsOver }
    #expect(result.news.first == .outOfTime)
    guard case .known(let identity)? = result.news.last, result.news.count == 2 else {
      Issue.record("nothing known")
      return
    }
    #expect(identity.model == "Tag 1" && identity.category == nil)
    let nothing = ask { _, _ in .timeIsOver }
    #expect(nothing.error?.kind == .noAnswer && nothing.news.isEmpty)
  }

  /// Who answers nonsense is faulty, and not far away.
  @Test(arguments: [[], [1], [0xFF, 0xFF, 0xFF], [0x02, 0x03, 0x03]] as [[UInt8]])
  func saysThatAnAnswerIsNonsense(bytes: [UInt8]) {
    var answered = 0
    let result = ask { _, _ in
      answered += 1
      return answered.isMultiple(of: 2) ? .silence : .value(bytes)
    }
    #expect(result.error?.kind == .malformed)
    #expect(result.error?.remedy?.description.contains("faulty") == true)
  }

  @Test func takesAnAnswerThatComesLate() {
    var wasLate = false
    let result = ask { opcode, count in
      if count == 3 { return .silence }
      // The answer to the third question comes before that to the fourth.
      if count == 4, !wasLate {
        wasLate = true
        return Self.answer(5)
      }
      return Self.answer(opcode)
    }
    guard case .known(let identity)? = result.news.first else {
      Issue.record("nothing known")
      return
    }
    #expect(identity.model == "Tag 1" && identity.category == 158)
  }

  @Test func showsTextThatIsNoUTF8AsHex() {
    var identity = TrackerIdentity()
    DULTGetter.manufacturer.store([0x4C, 0xFF, 0xFE, 0x75], in: &identity)
    DULTGetter.model.store(Array("J\u{FC}rgen".utf8) + [0, 0xFF], in: &identity)
    #expect(identity.manufacturer == "4cfffe75")
    #expect(identity.model == "J\u{FC}rgen")
  }

  @Test func goesOnPastAnAnswerThatIsMissing() {
    let result = ask { opcode, _ in opcode == 5 ? .silence : Self.answer(opcode) }
    guard case .known(let identity)? = result.news.first else {
      Issue.record("nothing known")
      return
    }
    #expect(identity.model == nil && identity.network == 2)
  }

  @Test func waitsForThePhysicalAction() {
    var identifiers = 0
    let result = ask(patience: .seconds(60)) { opcode, _ in
      guard opcode == 0x0404 else { return Self.answer(opcode) }
      identifiers += 1
      return identifiers < 5 ? Self.refusal(opcode) : Self.answer(opcode)
    }
    #expect(result.news.first == .wantsAction)
    guard case .known(let identity)? = result.news.last else {
      Issue.record("nothing known")
      return
    }
    #expect(identity.identifier == [0xDE, 0xAD, 0xBE, 0xEF])
    #expect(identifiers == 5)
  }

  @Test func doesNotWaitForever() {
    let result = ask(patience: .seconds(20)) { opcode, _ in
      opcode == 0x0404 ? Self.refusal(opcode) : Self.answer(opcode)
    }
    #expect(result.questions.count { $0 == 0x0404 } < 15)
    guard case .known(let identity)? = result.news.last else {
      Issue.record("nothing known")
      return
    }
    #expect(identity.identifier == nil && identity.model == "Tag 1")
  }

  @Test func keepsWhatItKnowsWhenTheConnectionBreaks() {
    let result = ask { opcode, _ in
      opcode < 6
        ? Self.answer(opcode)
        : .failed(GATTError(.abortedByPeer, during: "indication", "it broke"))
    }
    guard case .known(let identity)? = result.news.last else {
      Issue.record("nothing known")
      return
    }
    #expect(identity.model == "Tag 1" && identity.category == nil)
  }

  @Test(
    arguments: [
      (DULTGetter.productData, [1, 2, 3]), (.capabilities, [1]),
      (.protocolVersion, [1, 2, 3, 4, 5]),
      (.category, []), (.network, []), (.identifier, []), (.manufacturer, []), (.model, [0, 65]),
    ] as [(DULTGetter, [UInt8])])
  func takesNoOperandOfAWrongLength(getter: DULTGetter, operand: [UInt8]) {
    var identity = TrackerIdentity()
    getter.store(operand, in: &identity)
    #expect(identity.isEmpty)
  }

  @Test func takesTextOf64BytesWithoutAnEnd() {
    var identity = TrackerIdentity()
    DULTGetter.model.store([UInt8](repeating: 65, count: 80), in: &identity)
    #expect(identity.model?.count == 64)
  }

  @Test func namesNoReservedValues() {
    var identity = TrackerIdentity()
    (identity.category, identity.network) = (127, 77)
    (identity.batteryType, identity.batteryLevel) = (3, 4)
    #expect(identity.categoryName == nil && identity.networkName == nil)
    #expect(identity.batteryTypeName == nil && identity.batteryLevelName == nil)
    identity.category = 167
    #expect(identity.categoryName == "personal item")
    identity.category = 168
    #expect(identity.categoryName == nil)
    identity.category = 1
    #expect(identity.categoryName == "location tracker")
  }
}
