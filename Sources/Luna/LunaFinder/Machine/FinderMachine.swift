import Bluetooth
import LunaCore
import LunaProtocol

/// A finder as a value: it takes what happens and tells what to do (PROTOCOL.md, 9 and 12;
/// BACKEND.md). It does no input or output, knows no time but the one that it is told, and draws
/// its randomness from the generator that it is handed.
struct FinderMachine: Sendable {
  /// The most identifiers that are kept track of. They are forgotten when they are silent, so that a
  /// million of them in a day do no harm.
  static let crowdLimit = 16_384
  /// The most of those among them that appeared in a flood of new ones.
  static let floodLimit = 4096
  /// How long an identifier is kept after it was heard last: longer than a command needs.
  static let memory: Duration = .seconds(300)

  /// What is known of a tracker while it keeps its identifier.
  struct Presence: Sendable {
    var last: HeardFrame
    var lastHeard: Duration
    /// When it was reported last.
    var lastEvent: Duration?
    /// When a sighting of it was counted as lost.
    var lastLoss: Duration?
    /// In how many seconds it was heard.
    var seconds = 1
    var counted: Duration
    /// Whether it appeared in a flood of new ones.
    let isFromFlood: Bool
    /// Whether it may be made up: who sends one for long cannot send as many.
    var isDoubtful: Bool { isFromFlood && seconds < FinderMachine.proof }
    /// Under which its reports are filed, once one is sealed.
    var heid: HEID?
  }

  /// In how many seconds one from a flood has to be heard to be believed as others are.
  static let proof = 10

  let configuration: LunaConfiguration
  /// Whether the radio is made up, and so the positions of what it hears.
  let isSimulated: Bool
  /// How the time of reports follows from the clock's, for tests.
  let time: ProtocolTime
  /// Whether there is a backend.
  let uploads: Bool

  var presences: [FrameIdentity: Presence] = [:]
  var identities: [HEID: FrameIdentity] = [:]
  var lastPruning: Duration = .zero
  /// How many of the identifiers appeared in a flood.
  var floodCount = 0
  var newcomers = Newcomers()
  var crowd: CrowdWatch?
  /// Losses that were not told yet.
  var losses: [String: Int] = [:]

  var position = PositionInUse()
  var held: [HeldSighting] = []
  var isClockPlausible: Bool?

  /// When each region was heard last, for those that are entered.
  var regions: [Int: Duration] = [:]
  var lastLuna: Duration?
  var duty: ScanDuty?

  var transfer = TransferState()
  var commands = CommandQueue()
  /// When to end at the latest, once it is to end.
  var stopDeadline: Duration?
  var isFinished = false

  init(
    _ configuration: LunaConfiguration, uploads: Bool, isSimulated: Bool = false,
    time: ProtocolTime = ProtocolTime()
  ) {
    self.configuration = configuration
    self.time = time
    self.uploads = uploads
    self.isSimulated = isSimulated
    position.minimumDistance = configuration.minimumDistanceBetweenTwoLocationsInMeters
    transfer.batch = configuration.maximumCacheSize
  }

  /// Takes what happens.
  ///
  /// - Returns: what to do, in order.
  mutating func handle(
    _ event: FinderEvent, at moment: FinderMoment,
    using generator: inout some RandomNumberGenerator
  ) -> [FinderAction] {
    guard !isFinished else { return [] }
    var actions: [FinderAction] = []
    checkClock(at: moment, &actions)
    newcomers.turn(at: moment.elapsed)
    switch event {
    case .frame(let heard): hear(heard, at: moment, &actions)
    case .region(let index): enter(index, at: moment, &actions)
    case .location(let update): locate(update, at: moment, &actions)
    case .timePassed: prune(at: moment)
    case .restored(let waiting, let hasConfirmations):
      transfer.restored(waiting: waiting, hasConfirmations: hasConfirmations)
    case .queued(let heids, let waiting):
      learn(heids)
      transfer.queued(waiting: waiting, at: moment.elapsed)
    case .confirmationQueued: transfer.kept()
    case .uploaded(let requests, let progress, let waiting):
      transfer.uploaded(
        progress: progress, waiting: waiting, limit: configuration.maximumCacheSize,
        at: moment.elapsed, using: &generator)
      commands.take(requests, at: moment, &actions)
    case .uploadFailed(let error, let events):
      uploadFailed(error, of: events, at: moment, &actions, using: &generator)
    case .confirmationFailed(let error):
      transferFailed(error, at: moment, &actions, using: &generator)
    case .nothingElseWaits(let gone):
      if let gone { transfer.refusals.forget(gone) }
      transfer.restUntilTurn(at: moment.elapsed)
    case .queueFailed: transfer.queueFailed(at: moment.elapsed, using: &generator)
    case .confirmed(let hasMore): transfer.confirmed(hasMore: hasMore)
    case .commandEnded(let outcome): endCommand(outcome, at: moment, &actions)
    case .stop: stop(at: moment)
    }
    watchCrowd(at: moment, &actions)
    leaveRegions(at: moment, &actions)
    settlePosition(at: moment, &actions)
    chooseDuty(at: moment, &actions)
    startCommand(at: moment, &actions)
    startTransfer(at: moment, &actions)
    tellLosses(&actions)
    finish(at: moment, &actions)
    return actions
  }

  /// Whether nothing goes on that has a time: then it is enough to look now and then.
  var isIdle: Bool {
    presences.isEmpty && newcomers.count == 0 && held.isEmpty && regions.isEmpty && crowd == nil
      && commands.isIdle && transfer.isIdle(uploads: uploads) && stopDeadline == nil
  }

  // MARK: The end

  /// How long an end may take.
  static let stopLimit: Duration = .seconds(10)

  private mutating func stop(at moment: FinderMoment) {
    guard stopDeadline == nil else { return }
    stopDeadline = moment.elapsed + FinderMachine.stopLimit
    commands.waiting = []
    transfer.hurry()
  }

  private mutating func finish(at moment: FinderMoment, _ actions: inout [FinderAction]) {
    guard let stopDeadline else { return }
    let isIdle = transfer.flight == nil && commands.running == nil && !transfer.isKeeping
    guard isIdle && !canTransfer(at: moment) || moment.elapsed >= stopDeadline else { return }
    dropHeld()
    newcomers.giveUp()
    countCrowd()
    tellLosses(&actions)
    isFinished = true
    actions.append(.finished)
  }

  private mutating func tellLosses(_ actions: inout [FinderAction]) {
    for (reason, count) in losses.sorted(by: { $0.key < $1.key }) {
      actions.append(.drop(reason, count))
    }
    losses = [:]
  }
}
