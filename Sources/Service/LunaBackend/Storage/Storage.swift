public import Bluetooth
public import LunaCore
public import LunaProtocol

/// Where a backend keeps what it knows. Every storage passes one conformance suite; what a call
/// that writes has returned from is on the disk.
public protocol Storage: Sendable {
  /// How logs call it, without secrets.
  var name: String { get }

  /// What of the last run's cannot be read any more, for the log.
  var damageLeft: String? { get }

  /// Brings what is kept to this version, and makes it where there is nothing.
  func migrate() async throws(StorageError)

  /// Makes sure that there is a place for events of these days, where each day needs one.
  func makeRoom(for days: ClosedRange<Day>) async throws(StorageError)

  /// Keeps events: all for which there is a place. With an error it may have kept some, which are known when they come
  /// again.
  ///
  /// - Returns: what became of each.
  func ingest(
    _ events: [IdentifiedEvent], at time: Timestamp
  ) async throws(StorageError) -> [IngestResult]

  /// Events of some identifiers and days, in the order of ``EventPosition``.
  ///
  /// - Parameters:
  ///   - position: only those behind it.
  ///   - owner: who asks. Where queries wait for each other, one owner's do not stand before those of all
  ///     others.
  func events(
    heids: [HEID], days: ClosedRange<Day>, after position: EventPosition?, limit: Int,
    for owner: String
  ) async throws(StorageError) -> [FoundEvent]

  /// Drops events of days before one, makes room for those since then and the coming ones, and drops commands and
  /// codes that ended 30 days before a time.
  ///
  /// - Returns: how many events were dropped, where that is known.
  func prune(before day: Day, at time: Timestamp) async throws(StorageError) -> Int

  /// Adds what a process took of some identifiers to what all of them took in an hour. Where this fails, it may have
  /// been done all the same.
  ///
  /// - Parameters:
  ///   - additions: less than 0 for what was given back.
  ///   - hour: hours since 1970.
  /// - Returns: what all of them took now; nothing where there is one process alone.
  func share(
    _ additions: [HEID: Int], inHour hour: Int64
  ) async throws(StorageError) -> [HEID: Int]

  /// Keeps a command, once: also where the connection is lost in the moment of its end.
  ///
  /// - Parameter key: names the request.
  /// - Returns: its name, or that of the one that the same request has made before.
  /// - Throws: `limit` when the owner has `openLimit` open ones.
  func submit(
    _ command: NewCommand, as key: OutcomeKey, openLimit: Int
  ) async throws(StorageError) -> RequestID

  /// Commands that wait for trackers, and are not leased to another gateway.
  func openCommands(
    matching heids: [HEID], for gateway: String, at time: Timestamp
  ) async throws(StorageError) -> [OpenCommand]

  /// Leases commands to a gateway.
  ///
  /// - Returns: those that it got; others may have been faster.
  func lease(
    _ ids: [RequestID], to gateway: String, at time: Timestamp, until end: Timestamp
  ) async throws(StorageError) -> Set<RequestID>

  /// Notes what became of a command.
  func confirm(
    _ confirmation: CommandConfirmation, id: RequestID, by gateway: String, at time: Timestamp
  ) async throws(StorageError) -> ConfirmationResult

  /// All gateways that ever uploaded, by name.
  func gateways() async throws(StorageError) -> [GatewayRecord]

  /// Notes that a gateway uploaded.
  func touch(
    _ gateway: String, report: GatewayReport?, at time: Timestamp
  ) async throws(StorageError)

  /// Keeps a token.
  ///
  /// - Throws: `limit` when two tokens of that role and name are live.
  func add(_ token: TokenRecord) async throws(StorageError)

  /// The token with an id; nil when there is none. Also after it was revoked.
  func token(_ id: String) async throws(StorageError) -> TokenRecord?

  /// All tokens, by role, name and age.
  func tokens() async throws(StorageError) -> [TokenRecord]

  /// Revokes a token at once.
  ///
  /// - Returns: false when there is no live token with that id.
  func revoke(_ id: String, at time: Timestamp) async throws(StorageError) -> Bool

  /// Keeps an enrolment code.
  func add(_ enrolment: EnrolmentRecord) async throws(StorageError)

  /// Whether there is an enrolment code that can be used up.
  func hasEnrolment(_ digest: [UInt8], at time: Timestamp) async throws(StorageError) -> Bool

  /// Uses up an enrolment code for a token. The same request again ends that token, and gets another one.
  ///
  /// - Parameters:
  ///   - key: names the request.
  ///   - token: makes the token of a gateway with the name that the code is for.
  /// - Returns: the token; nil when there is no such code, or it is too late for it.
  func redeem(
    _ digest: [UInt8], as key: OutcomeKey, at time: Timestamp,
    token: @escaping @Sendable (String) throws(StorageError) -> TokenRecord
  ) async throws(StorageError) -> TokenRecord?

  /// Does all of something, or nothing, and once: also where a connection is lost in the moment of its end.
  ///
  /// - Parameters:
  ///   - isSerial: whether it is as if nobody else did anything of this kind meanwhile, in whatever
  ///     process: what `body` reads is still so when it writes. Without, only each statement is right by
  ///     itself; for what happens often.
  ///   - body: changes nothing else: it may run twice, of which nothing is kept the first time.
  func transaction<Output: Sendable>(
    isSerial: Bool,
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> Output
  ) async throws(StorageError) -> Output

  /// Reads one state, whatever is written meanwhile.
  func read<Output: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> Output
  ) async throws(StorageError) -> Output

  /// Looks up a few rows by their keys: each statement reads the newest state.
  func lookUp<Output: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> Output
  ) async throws(StorageError) -> Output

  /// A number that is another one when another process has written since; nil where that cannot be told.
  func foreignWrites() async throws(StorageError) -> Int64?

  /// Has a function called when some process has changed records of the fleet, and when that may have been
  /// missed.
  ///
  /// - Returns: ends it; nil where nobody tells: one has to look now and then.
  func watch(_ told: @escaping @Sendable () -> Void) -> (any StorageWatch)?

  /// Whether any number of processes may serve it at once.
  var isShared: Bool { get }

  /// The time by which all processes that share it reckon leases, ends and days; nil where the time of this machine
  /// counts, and before it is known.
  var time: Timestamp? { get }

  /// Writes something, to see whether that works.
  func health() async throws(StorageError)

  /// How much waits to be written, from 0 (nothing) to 1 (no more is taken).
  var load: Double { get }

  /// Writes a copy of everything into a file.
  ///
  /// - Parameter replacing: whether that file may exist already.
  func backup(to path: String, replacing: Bool) async throws(StorageError)

  /// Waits for what is being written. Nothing may be asked for afterwards.
  func close() async
}

extension Storage {
  /// Does all of something, or nothing, as if nobody else wrote meanwhile.
  public func transaction<Output: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> Output
  ) async throws(StorageError) -> Output {
    try await transaction(isSerial: true, body)
  }

  /// Writes a copy of everything into a file that does not exist yet.
  public func backup(to path: String) async throws(StorageError) {
    try await backup(to: path, replacing: false)
  }
}

extension Storage {
  /// Nothing: who keeps it elsewhere tells of it there.
  public var damageLeft: String? { nil }

  /// One process alone.
  public var isShared: Bool { false }

  /// None of its own.
  public var time: Timestamp? { nil }

  /// Nothing: nobody else took any.
  public func share(
    _ additions: [HEID: Int], inHour hour: Int64
  ) async throws(StorageError) -> [HEID: Int] { [:] }

  /// The time by which it reckons.
  package var now: Timestamp { time ?? SystemTime.now() }

  /// Nothing: there is one place for all days.
  public func makeRoom(for days: ClosedRange<Day>) async throws(StorageError) {}
}
