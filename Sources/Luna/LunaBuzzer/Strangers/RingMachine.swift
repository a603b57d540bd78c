import Bluetooth
import Diagnosis

/// Makes a tracker of somebody else sound, or be silent.
struct RingMachine: Conversation {
  /// How long a tracker sounds at most (draft-ietf-dult-accessory-protocol-00, "Play sound": 5 to
  /// 30 s), and a little.
  static let longestSound = Duration.seconds(31)

  private enum Phase: Sendable {
    case begun, subscribing, writing, writingStop
    /// For an answer, until then.
    case awaiting(until: Duration)
    case awaitingEnd(until: Duration)
    /// Until when it is to sound.
    case sounding(until: Duration)
    case telling(Next)
  }

  private enum Next: Sendable {
    case sound(until: Duration)
    case leave
  }

  let request: RingRequest
  /// How long an answer may take.
  let limit: Duration

  private var phase = Phase.begun
  private var spoken: NonOwnerProtocol?
  private var characteristic: GATTCharacteristic?

  /// Something that came in the place of an answer, and makes no sense.
  private var nonsense: [UInt8]?

  init(_ request: RingRequest, limit: Duration) {
    self.request = request
    self.limit = limit
  }

  var wish: StrangerWish { .ring }

  var isAwaitingAnswer: Bool {
    switch phase {
    case .begun, .subscribing, .writing, .awaiting: true
    case .writingStop, .awaitingEnd, .sounding, .telling: false
    }
  }

  mutating func handle(
    _ event: ConversationEvent, at elapsed: Duration
  ) -> ConversationAction<RingNews> {
    if case .connected(let offered) = event { return choose(offered, at: elapsed) }
    guard let spoken, let characteristic else { return .fail(.outOfOrder) }
    switch (phase, event) {
    case (.telling(.leave), _): return .leave
    case (.telling(.sound(let until)), _):
      phase = .sounding(until: until)
      return .receive(characteristic, within: max(.zero, until - elapsed))
    case (.sounding, .stop): return silence(spoken, characteristic)
    case (.writingStop, .stop), (.awaitingEnd, .stop):
      return tell(.ended(isConfirmed: false), .leave)
    case (_, .stop): return .fail(.stopped)
    case (.subscribing, .subscribed): return ask(spoken, characteristic)
    case (.writing, .written):
      guard spoken.rules.answers else { return sounds(spoken, isConfirmed: false, at: elapsed) }
      phase = .awaiting(until: elapsed + limit)
      return .receive(characteristic, within: limit)
    case (.awaiting(let until), .value(let bytes)):
      return answered(bytes, spoken, characteristic, until: until, at: elapsed)
    case (.awaiting, .silence), (.awaiting, .timeIsOver):
      return .fail(.noResponse(within: limit, nonsense: nonsense))
    case (.subscribing, .timeIsOver), (.writing, .timeIsOver):
      return .fail(.overtime)
    case (.sounding(let until), .value(let bytes)):
      if spoken.rules.message(bytes) == .soundCompleted {
        return tell(.ended(isConfirmed: true), .leave)
      }
      guard elapsed < until else { return silence(spoken, characteristic) }
      return .receive(characteristic, within: until - elapsed)
    // It has sounded for as long as was asked for.
    case (.sounding, .silence): return silence(spoken, characteristic)
    case (.sounding, .failed(let error)): return tell(.lost("\(error)"), .leave)
    case (.writingStop, .written):
      phase = .awaitingEnd(until: elapsed + limit)
      return .receive(characteristic, within: limit)
    case (.awaitingEnd(let until), .value(let bytes)):
      return ended(bytes, spoken, characteristic, until: until, at: elapsed)
    case (.writingStop, _), (.awaitingEnd, _): return tell(.ended(isConfirmed: false), .leave)
    case (.subscribing, .failed(let error)):
      return error.isPassing ? .again(error) : .fail(BuzzerError(error))
    case (.writing, .failed(let error)), (.awaiting, .failed(let error)):
      // An AirTag hangs up when it has got the byte.
      if !spoken.rules.answers, error.kind == .abortedByPeer {
        return sounds(spoken, isConfirmed: false, at: elapsed)
      }
      return .fail(error.isPassing ? .unanswered(error) : BuzzerError(error))
    // An event that the action before does not lead to: a fault of the shell.
    default: return .fail(.outOfOrder)
    }
  }

  private mutating func choose(
    _ offered: [GATTCharacteristic], at elapsed: Duration
  ) -> ConversationAction<RingNews> {
    guard let found = NonOwnerProtocol.find(in: offered) else {
      return .fail(.nothingForStrangers(offered))
    }
    spoken = found.0
    characteristic = found.1
    guard found.0.rules.answers else { return ask(found.0, found.1) }
    phase = .subscribing
    return .subscribe(found.1)
  }

  private mutating func ask(
    _ spoken: NonOwnerProtocol, _ characteristic: GATTCharacteristic
  ) -> ConversationAction<RingNews> {
    guard let bytes = spoken.rules.request(request.opcode) else {
      return .fail(
        BuzzerError(
          .notOffered, "its sound cannot be stopped from here (\(spoken.title))",
          remedy: "it ends by itself"))
    }
    phase = .writing
    return .write(bytes, characteristic)
  }

  private mutating func answered(
    _ bytes: [UInt8], _ spoken: NonOwnerProtocol, _ characteristic: GATTCharacteristic,
    until: Duration, at elapsed: Duration
  ) -> ConversationAction<RingNews> {
    switch (spoken.rules.message(bytes), request) {
    case (.response(to: request.opcode, .success), .start):
      return sounds(spoken, isConfirmed: true, at: elapsed)
    case (.response(to: request.opcode, .success), .stop), (.soundCompleted, .stop):
      return tell(.ended(isConfirmed: true), .leave)
    case (.response(to: request.opcode, let status), _):
      return .fail(.nonOwner(status, to: request.opcode, spoken))
    // What is left of an earlier sound, or not for us.
    case (let message, _):
      switch message {
      case .response, .soundCompleted: break
      case .other, nil: nonsense = bytes
      }
      return .receive(characteristic, within: max(.zero, until - elapsed))
    }
  }

  private mutating func sounds(
    _ spoken: NonOwnerProtocol, isConfirmed: Bool, at elapsed: Duration
  ) -> ConversationAction<RingNews> {
    guard case .start(let seconds) = request else { return .leave }
    // One that does not answer tells no end either.
    let next: Next =
      spoken.rules.answers
      ? .sound(until: elapsed + min(seconds, RingMachine.longestSound)) : .leave
    return tell(.sounding(spoken, isConfirmed: isConfirmed), next)
  }

  /// Asks it to be silent.
  private mutating func silence(
    _ spoken: NonOwnerProtocol, _ characteristic: GATTCharacteristic
  ) -> ConversationAction<RingNews> {
    guard let bytes = spoken.rules.request(DULTOpcode.soundStop) else { return .leave }
    phase = .writingStop
    return .write(bytes, characteristic)
  }

  private mutating func ended(
    _ bytes: [UInt8], _ spoken: NonOwnerProtocol, _ characteristic: GATTCharacteristic,
    until: Duration, at elapsed: Duration
  ) -> ConversationAction<RingNews> {
    switch spoken.rules.message(bytes) {
    // With Invalid_state it had ended by itself on the way.
    case .soundCompleted, .response(to: DULTOpcode.soundStop, _):
      return tell(.ended(isConfirmed: true), .leave)
    default: return .receive(characteristic, within: max(.zero, until - elapsed))
    }
  }

  private mutating func tell(_ news: RingNews, _ next: Next) -> ConversationAction<RingNews> {
    phase = .telling(next)
    return .tell(news)
  }
}

extension BuzzerError {
  static let outOfOrder = BuzzerError(
    .malformed, "something came out of order", remedy: "this is a fault of luna's own; report it")
}
