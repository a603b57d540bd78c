import Bluetooth
import Diagnosis

/// Asks a tracker of any maker for all that it tells somebody who does not own it.
struct IdentifyMachine: Conversation {
  /// Between two questions for the identifier, while somebody looks for the button.
  static let identifierPause = Duration.seconds(2)
  /// How many questions may go without any answer before it counts as dumb.
  static let patience = 2
  /// How long an answer may take once one has not come: who leaves out one leaves out more.
  static let shortLimit = Duration.seconds(3)

  private enum Phase: Sendable {
    case begun, subscribing, writing, telling, tellingLast
    /// For an answer, until then.
    case awaiting(until: Duration)
    /// Until the identifier is asked for again.
    case waiting
    case over
  }

  /// How long an answer may take.
  let limit: Duration
  /// How long to ask for the identifier, from when all else is known.
  let patience: Duration

  private var phase = Phase.begun
  private var characteristic: GATTCharacteristic?
  private var getters = DULTGetter.allCases[...]
  private(set) var identity = TrackerIdentity()
  private var unanswered = 0
  private var refused = 0
  private var waitsUntil: Duration?
  /// Something that came in the place of an answer, and makes no sense.
  private var nonsense: [UInt8]?

  init(limit: Duration, identifierWithin patience: Duration) {
    self.limit = limit
    self.patience = patience
  }

  var wish: StrangerWish { .identify }
  var isAwaitingAnswer: Bool { true }

  mutating func handle(
    _ event: ConversationEvent, at elapsed: Duration
  ) -> ConversationAction<IdentifyNews> {
    if case .connected(let offered) = event {
      let rules = DULTRules.self
      guard
        let match = offered.first(where: {
          $0.service.means(rules.service) && $0.uuid.means(rules.characteristic)
        })
      else { return .fail(.nothingToTell) }
      characteristic = match
      phase = .subscribing
      return .subscribe(match)
    }
    guard let characteristic else { return .fail(.outOfOrder) }
    switch (phase, event) {
    case (.over, _): return .leave
    case (.tellingLast, _): return finish()
    case (.telling, _), (.subscribing, .subscribed): return ask(characteristic, at: elapsed)
    case (.subscribing, .failed(let error)):
      return error.isPassing ? .again(error) : .fail(BuzzerError(error))
    // What is known by now is worth telling.
    case (_, .stop), (_, .failed): return end(event)
    case (_, .timeIsOver):
      guard !identity.isEmpty else { return end(event) }
      phase = .tellingLast
      return .tell(.outOfTime)
    case (.writing, .written):
      let limit = unanswered == 0 ? limit : min(limit, IdentifyMachine.shortLimit)
      phase = .awaiting(until: elapsed + limit)
      return .receive(characteristic, within: limit)
    case (.awaiting(let until), .value(let bytes)):
      return answered(bytes, characteristic, until: until, at: elapsed)
    case (.awaiting, .silence):
      unanswered += 1
      if unanswered >= IdentifyMachine.patience, identity.isEmpty, refused == 0 {
        return .fail(.noResponse(within: limit, nonsense: nonsense))
      }
      return next(characteristic, at: elapsed)
    case (.waiting, _): return ask(characteristic, at: elapsed)
    // An event that the action before does not lead to: a fault of the shell.
    default: return .fail(.outOfOrder)
    }
  }

  private mutating func ask(
    _ characteristic: GATTCharacteristic, at elapsed: Duration
  ) -> ConversationAction<IdentifyNews> {
    guard let getter = getters.first else { return finish() }
    phase = .writing
    return .write(DULTOpcode.request(getter.rawValue), characteristic)
  }

  private mutating func answered(
    _ bytes: [UInt8], _ characteristic: GATTCharacteristic, until: Duration, at elapsed: Duration
  ) -> ConversationAction<IdentifyNews> {
    guard let getter = getters.first else { return finish() }
    switch DULTOpcode.message(bytes) {
    case .other(getter.answer, let operand):
      getter.store(operand, in: &identity)
      return next(characteristic, at: elapsed)
    case .response(to: getter.rawValue, _):
      refused += 1
      if getter == .identifier { return refusedIdentifier(characteristic, at: elapsed) }
      return next(characteristic, at: elapsed)
    // Not to this question, perhaps late to another one.
    case let message:
      switch message {
      case .response, .soundCompleted: break
      case .other(let opcode, let operand):
        guard let earlier = DULTGetter.allCases.first(where: { $0.answer == opcode }) else {
          nonsense = bytes
          break
        }
        earlier.store(operand, in: &identity)
      case nil: nonsense = bytes
      }
      return .receive(characteristic, within: max(.zero, until - elapsed))
    }
  }

  private mutating func next(
    _ characteristic: GATTCharacteristic, at elapsed: Duration
  ) -> ConversationAction<IdentifyNews> {
    getters = getters.dropFirst()
    // The draft wants all of these refused at once while the owner is near.
    if getters.first == .identifier, identity.isEmpty, refused > 0 {
      return .fail(.nonOwner(.invalidCommand, to: DULTGetter.productData.rawValue, .dult))
    }
    return ask(characteristic, at: elapsed)
  }

  /// The identifier is told for five minutes after a physical action, such as holding a button.
  private mutating func refusedIdentifier(
    _ characteristic: GATTCharacteristic, at elapsed: Duration
  ) -> ConversationAction<IdentifyNews> {
    let until = waitsUntil ?? elapsed + patience
    guard elapsed < until else { return finish() }
    guard waitsUntil != nil else {
      waitsUntil = until
      phase = .telling
      return .tell(.wantsAction)
    }
    phase = .waiting
    return .receive(characteristic, within: min(IdentifyMachine.identifierPause, until - elapsed))
  }

  private mutating func end(_ event: ConversationEvent) -> ConversationAction<IdentifyNews> {
    if !identity.isEmpty { return finish() }
    switch event {
    case .failed(let error): return .fail(error.isPassing ? .unasked(error) : BuzzerError(error))
    case .timeIsOver:
      return .fail(unanswered > 0 ? .noResponse(within: limit, nonsense: nonsense) : .overtime)
    default: return .fail(.stopped)
    }
  }

  private mutating func finish() -> ConversationAction<IdentifyNews> {
    phase = .over
    return .tell(.known(identity))
  }
}

extension BuzzerError {
  static let nothingToTell = BuzzerError(
    .notOffered, "it tells strangers nothing: it does not offer the service of IETF DULT",
    remedy: "\(.scan) shows what it advertises")
}
