import Bluetooth
import Diagnosis
import Testing

@testable import LunaBuzzer

struct RingMachineTests {
  private static func offer(_ kind: NonOwnerProtocol) -> GATTCharacteristic {
    GATTCharacteristic(
      service: kind.rules.service, uuid: kind.rules.characteristic,
      properties: [.write, .indicate], handle: 9)
  }

  private static let limit = Duration.seconds(10)

  /// What comes of some events, one a second.
  private func play(
    _ request: RingRequest, _ kind: NonOwnerProtocol, _ events: [ConversationEvent]
  ) -> [Step] {
    var machine = RingMachine(request, limit: Self.limit)
    let all = [ConversationEvent.connected([Self.offer(kind)])] + events
    return all.enumerated().map { Step(machine.handle($1, at: .seconds($0))) }
  }

  /// An action in a form that can be compared.
  private enum Step: Equatable {
    case subscribe
    case write([UInt8])
    case receive(Int64)
    case tell(RingNews)
    case leave
    case fail(BuzzerError.Kind)
    case again

    init(_ action: ConversationAction<RingNews>) {
      switch action {
      case .subscribe: self = .subscribe
      case .write(let bytes, _): self = .write(bytes)
      case .receive(_, let limit): self = .receive(limit.components.seconds)
      case .tell(let news): self = .tell(news)
      case .leave: self = .leave
      case .fail(let error): self = .fail(error.kind)
      case .again: self = .again
      }
    }
  }

  private static func response(_ opcode: UInt8, _ low: UInt8, _ high: UInt8 = 0) -> [UInt8] {
    [0x02, 0x03, opcode, 0x03, low, high]
  }

  @Test(arguments: [NonOwnerProtocol.dult, .appleFindMy])
  func ringsUntilItEndsByItself(kind: NonOwnerProtocol) {
    let header: [UInt8] = kind == .dult ? [] : [1]
    let steps = play(
      .start(.seconds(20)), kind,
      [
        .subscribed, .written, .value(header + Self.response(0, 0)), .told,
        .value(header + [0x03, 0x03]), .told,
      ])
    #expect(
      steps == [
        .subscribe, .write(header + [0x00, 0x03]), .receive(10),
        .tell(.sounding(kind, isConfirmed: true)), .receive(19), .tell(.ended(isConfirmed: true)),
        .leave,
      ])
  }

  /// Who answers nonsense is faulty; who is too slow gets more time.
  @Test func tellsNonsenseFromSilence() {
    for (events, kind) in [
      ([.subscribed, .written, .value([9, 9, 9]), .silence], .malformed),
      ([.subscribed, .written, .value([]), .timeIsOver], .malformed),
      ([.subscribed, .written, .silence], .noAnswer),
      ([.subscribed, .written, .value([3, 3]), .silence], .noAnswer),
      ([.timeIsOver], .noAnswer), ([.subscribed, .timeIsOver], .noAnswer),
    ] as [([ConversationEvent], BuzzerError.Kind)] {
      #expect(play(.start(.seconds(20)), .dult, events).last == .fail(kind))
    }
  }

  @Test func stopsItWhenItIsEnough() {
    let begin: [ConversationEvent] = [.subscribed, .written, .value(Self.response(0, 0)), .told]
    for end in [ConversationEvent.silence, .stop] {
      let steps = play(
        .start(.seconds(6)), .dult,
        begin + [end, .written, .value(Self.response(1, 0)), .told])
      #expect(
        steps.suffix(4) == [
          .write([0x01, 0x03]), .receive(10), .tell(.ended(isConfirmed: true)), .leave,
        ])
    }
  }

  @Test(
    arguments: [
      [[0x03, 0x03]], [[0x09, 0x08, 1], [0x03, 0x03]], [[0x02, 0x03, 1, 3, 1, 0]],
    ] as [[[UInt8]]])
  func takesAnyEndForOne(values: [[UInt8]]) {
    let steps = play(
      .start(.seconds(6)), .dult,
      [.subscribed, .written, .value(Self.response(0, 0)), .told, .silence, .written]
        + values.map { .value($0) })
    #expect(steps.last == .tell(.ended(isConfirmed: true)))
  }

  @Test func tellsThatNobodyConfirmedTheEnd() {
    let begin: [ConversationEvent] = [
      .subscribed, .written, .value(Self.response(0, 0)), .told, .silence,
    ]
    let gone = GATTError(.abortedByPeer, during: "write", "gone")
    for end in [
      [ConversationEvent.written, .silence], [.written, .failed(gone)], [.failed(gone)],
    ] {
      let steps = play(.start(.seconds(6)), .dult, begin + end + [.told])
      #expect(steps.suffix(2) == [.tell(.ended(isConfirmed: false)), .leave])
    }
  }

  @Test(arguments: [
    (UInt8(1), UInt8(0), BuzzerError.Kind.notSeparated), (0xFF, 0xFF, .notSeparated),
    (2, 0, .refused), (3, 0, .refused), (4, 0, .refused), (9, 9, .refused),
  ])
  func explainsARefusal(low: UInt8, high: UInt8, kind: BuzzerError.Kind) {
    let steps = play(
      .start(.seconds(6)), .dult, [.subscribed, .written, .value(Self.response(0, low, high))])
    #expect(steps.last == .fail(kind))
  }

  @Test func saysWhatToDoWhenTheOwnerIsNear() {
    let error = BuzzerError.nonOwner(.invalidCommand, to: DULTOpcode.soundStart, .dult)
    #expect(error.reason.contains("owner"))
    #expect(error.reason.contains("IETF DULT"))
    #expect(error.remedy?.description.contains("separated") == true)
  }

  @Test func waitsForTheAnswerToItsOwnQuestion() {
    let steps = play(
      .start(.seconds(6)), .dult,
      [
        .subscribed, .written, .value([0x03, 0x03]), .value(Self.response(1, 0)), .value([7]),
        .value(Self.response(0, 0)),
      ])
    #expect(
      steps.suffix(4) == [
        .receive(9), .receive(8), .receive(7), .tell(.sounding(.dult, isConfirmed: true)),
      ])
  }

  @Test func endsWithoutAnAnswer() {
    #expect(
      play(.start(.seconds(6)), .dult, [.subscribed, .written, .silence]).last == .fail(.noAnswer))
  }

  @Test func ringsAnAirTag() {
    let steps = play(.start(.seconds(6)), .airTag, [.written, .told])
    #expect(
      steps == [.write([0xAF]), .tell(.sounding(.airTag, isConfirmed: false)), .leave])
    // It hangs up when it has got the byte.
    let hungUp = play(
      .start(.seconds(6)), .airTag,
      [.failed(GATTError(.abortedByPeer, during: "write", "gone")), .told])
    #expect(hungUp.suffix(2) == [.tell(.sounding(.airTag, isConfirmed: false)), .leave])
    #expect(play(.stop, .airTag, []) == [.fail(.notOffered)])
  }

  @Test func stopsASound() {
    for value in [Self.response(1, 0), [0x03, 0x03]] {
      let steps = play(.stop, .dult, [.subscribed, .written, .value(value), .told])
      #expect(
        steps == [
          .subscribe, .write([0x01, 0x03]), .receive(10), .tell(.ended(isConfirmed: true)), .leave,
        ])
    }
    #expect(
      play(.stop, .dult, [.subscribed, .written, .value(Self.response(1, 1))]).last
        == .fail(.refused))
  }

  @Test func endsAtEveryFault() {
    let events: [ConversationEvent] = [.subscribed, .written, .value(Self.response(0, 0)), .told]
    let kinds: [(GATTError.Kind, [Step])] = [
      (.abortedByPeer, [.again, .fail(.noAnswer), .fail(.noAnswer)]),
      (.timedOut, [.again, .fail(.noAnswer), .fail(.noAnswer)]),
      (.adapterLost, [.fail(.adapter), .fail(.adapter), .fail(.adapter)]),
      (.refused, [.fail(.unreachable), .fail(.unreachable), .fail(.unreachable)]),
    ]
    for (kind, expected) in kinds {
      let error = ConversationEvent.failed(GATTError(kind, during: "step", "it broke"))
      for count in 0..<3 {
        #expect(
          play(.start(.seconds(6)), .dult, events.prefix(count) + [error]).last == expected[count])
      }
      let sounding = play(.start(.seconds(6)), .dult, events + [error, .told])
      #expect(sounding.suffix(2) == [.tell(.lost("step: it broke")), .leave])
    }
  }

  @Test func namesWhatOffersNothing() {
    var machine = RingMachine(.start(.seconds(6)), limit: Self.limit)
    let fastPair = GATTCharacteristic(
      service: .bit16(0xFE2C), uuid: .bit16(0x1234), properties: [], handle: 1)
    guard case .fail(let error) = machine.handle(.connected([fastPair]), at: .zero) else {
      Issue.record("it went on")
      return
    }
    #expect(error.kind == .notOffered)
    #expect(error.remedy?.description.contains("Fast Pair") == true)
  }
}
