import Bluetooth
import LunaCore
import LunaProtocol

/// A finder as a value: it takes what happens and tells what to do (PROTOCOL.md, 9 and 12;
/// BACKEND.md). It does no input or output, knows no time but the one that it is told, and draws
/// its randomness from the generator that it is handed.
struct FinderMachine: Sendable {
  /// The most identifiers that are kept track of, without doubtful ones. They are forgotten when they are
  /// silent, so that a million of them in a day do no harm.
  static let crowdLimit = 16_384
  /// The most doubtful ones. Of 4,000 a second, those that are heard again within 5 s fit in, also after
  /// some had to go: what is forgotten while it goes on would be reported as new.
  static let floodLimit = 24_000
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
    /// In which seconds it was heard.
    var seconds: HeardSeconds
    /// Whether it may be made up: it appeared in a flood of new ones.
    var isDoubtful: Bool
    /// Under which its reports are filed, once one is sealed.
    var heid: HEID?
  }

  /// In how many seconds a doubtful one has to be heard to be believed as others are. One is believed in
  /// a second, who has been heard for longest: about as many as may appear in normal times.
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
  /// How many of the identifiers are doubtful.
  var doubtfulCount = 0
  var newcomers = Newcomers()
  /// Who may be believed at the end of this second.
  var believable = Shortlist<FrameIdentity>(limit: 1)
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
    turnSecond(at: moment, &actions)
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
    case .uploaded(let requests, let progress, let gone, let waiting):
      // Before others have passed: it is nobody's turn who has left.
      for id in gone { transfer.refusals.forget(id) }
      transfer.uploaded(
        progress: progress, waiting: waiting, limit: configuration.maximumCacheSize,
        at: moment.elapsed, using: &generator)
      commands.take(requests, at: moment, &actions)
    case .uploadFailed(let error, let events):
      uploadFailed(error, of: events, at: moment, &actions, using: &generator)
    case .confirmationFailed(let error):
      transferFailed(error, at: moment, &actions, using: &generator)
    case .credentialChanged: transfer.credentialChanged()
    case .nothingElseWaits(nil): transfer.restUntilTurn(at: moment.elapsed)
    case .nothingElseWaits(let gone?): transfer.isGone(gone)
    case .queueFailed: transfer.queueFailed(at: moment.elapsed, using: &generator)
    case .confirmed(let hasMore): transfer.confirmed(hasMore: hasMore)
    case .commandEnded(let outcome): endCommand(outcome, at: moment, &actions)
    case .stop: stop(at: moment, &actions)
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

  /// How long an end may take.
  static let stopLimit: Duration = .seconds(10)

  private mutating func stop(at moment: FinderMoment, _ actions: inout [FinderAction]) {
    guard stopDeadline == nil else { return }
    admit(newcomers.choose(), at: moment, &actions)
    stopDeadline = moment.elapsed + FinderMachine.stopLimit
    commands.waiting = []
    transfer.hurry()
  }

  private mutating func finish(at moment: FinderMoment, _ actions: inout [FinderAction]) {
    guard let stopDeadline else { return }
    let isIdle = transfer.flight == nil && commands.running == nil && !transfer.isKeeping
    // What is being sealed is told to be queued first.
    let isSealing = actions.contains { if case .seal = $0 { true } else { false } }
    guard isIdle && !isSealing && !canTransfer(at: moment) || moment.elapsed >= stopDeadline else {
      return
    }
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
