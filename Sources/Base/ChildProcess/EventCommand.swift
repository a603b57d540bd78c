import SafeText
import Synchronization

/// Runs a command of the user's for what happens, beside the program, which never waits for it. What
/// happened is told in the command's environment, never in its text; what others wrote is escaped
/// there, and cut where it is too long.
///
/// For each subject one command runs at a time, and no more than a few altogether; what cannot be
/// told is counted, and reported once until a command could be started again.
public actor EventCommand {
  /// A variable of the command's environment.
  public typealias Variable = (name: String, value: String)

  /// Something that happened.
  public struct Occurrence: Sendable {
    /// What it is about, such as the sound of one tracker.
    public let subject: String
    /// What the command is told, asked for right before it starts; nil when nothing is to be started.
    public let variables: @Sendable () async -> [Variable]?

    /// Something that happened.
    public init(_ subject: String, variables: @escaping @Sendable () async -> [Variable]?) {
      self.subject = subject
      self.variables = variables
    }
  }

  /// What becomes of a command that still runs when something happens about its subject again.
  public enum Repetition: Sendable {
    /// It is ended: what it was about is over.
    case ends
    /// It goes on; of what comes meanwhile the latest is told when it has ended.
    case waits
  }

  /// Why something was not told.
  public enum Problem: Sendable {
    /// The system starts no process.
    case noProcess
    /// So many commands run already.
    case tooMany(Int)
  }

  private struct Running {
    let process: ShellCommand
    /// Ends it when it takes too long.
    let timer: Task<Void, Never>?
  }

  /// The longest value of a variable, in characters.
  static let longestValue = 4096
  /// How many occurrences wait.
  private static let room = 256

  private let command: String
  private let repetition: Repetition
  private let limit: Int
  private let timeLimit: Duration?
  private let hidden: [String]
  private let report: @Sendable (Problem) -> Void
  private var queue = OccurrenceQueue(limit: EventCommand.room)
  /// The subjects for which a command runs, or is about to.
  private(set) var busy: Set<String> = []
  private var running: [String: Running] = [:]
  private var isClosed = false
  private var isTroubled = false
  /// Whether nothing more is taken.
  private var isOver = false
  private var waiter: CheckedContinuation<Void, Never>?
  private var unstarted = 0
  private let forgotten = Mutex(0)
  /// How many occurrences were not told, since too many commands ran, a newer one took their place, or
  /// no process could be started.
  public var skipped: Int { unstarted + queue.replaced + forgotten.withLock(\.self) }

  private let occurrences: AsyncStream<Occurrence>
  private let inlet: AsyncStream<Occurrence>.Continuation

  /// - Parameters:
  ///   - command: what `sh -c` is given.
  ///   - repetition: what becomes of one that still runs.
  ///   - limit: how many run at once.
  ///   - timeLimit: after which a command is ended.
  ///   - hidden: variables of this process that a command does not get.
  ///   - report: is told why something was not told, once each time it begins.
  public init(
    _ command: String, repetition: Repetition, limit: Int = 64, timeLimit: Duration? = nil,
    hiding hidden: [String] = [],
    report: @escaping @Sendable (Problem) -> Void
  ) {
    self.command = command
    self.repetition = repetition
    self.limit = limit
    self.timeLimit = timeLimit
    self.hidden = hidden
    self.report = report
    (occurrences, inlet) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingNewest(EventCommand.room))
  }

  /// Something happened. Returns at once; of more than 256 that wait, the oldest are forgotten.
  public nonisolated func tell(_ occurrence: Occurrence) {
    if case .dropped = inlet.yield(occurrence) { forgotten.withLock { $0 += 1 } }
  }

  /// Runs commands until ``close()`` or ``finish(within:)``.
  public func run() async {
    for await occurrence in occurrences { await take(occurrence) }
    isOver = true
    wakeWhenIdle()
  }

  /// Ends what runs, and starts nothing more.
  public func close() {
    isClosed = true
    inlet.finish()
    queue.removeAll()
    for command in running.values {
      command.timer?.cancel()
      command.process.kill()
    }
    running = [:]
    wake()
  }

  /// Tells what waits still and lets it end, but no longer than this; then ends what runs. ``run()``
  /// must have been called.
  public func finish(within limit: Duration) async {
    inlet.finish()
    await untilIdle(limit)
    isClosed = true
    queue.removeAll()
    for command in running.values { command.process.end() }
    await untilIdle(.seconds(1))
    close()
  }

  /// Whether nothing runs, waits, or comes any more.
  var isIdle: Bool { isOver && busy.isEmpty && queue.isEmpty }

  private func untilIdle(_ limit: Duration) async {
    guard !isIdle else { return }
    let timer = Task {
      if (try? await Task.sleep(for: limit)) != nil { wake() }
    }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      // It may be since it was looked at.
      if isIdle { continuation.resume() } else { waiter = continuation }
    }
    timer.cancel()
  }

  private func wake() {
    waiter?.resume()
    waiter = nil
  }

  private func wakeWhenIdle() { if isIdle { wake() } }

  private func take(_ occurrence: Occurrence) async {
    guard !isClosed else { return }
    switch repetition {
    case .ends:
      running.removeValue(forKey: occurrence.subject)?.process.end()
      await start(occurrence)
    case .waits:
      if !queue.add(occurrence) { complain(.tooMany(limit)) }
      await startWaiting()
    }
  }

  private func startWaiting() async {
    while !isClosed, busy.count < limit, let occurrence = queue.next(besides: busy) {
      await start(occurrence)
    }
    wakeWhenIdle()
  }

  private func start(_ occurrence: Occurrence) async {
    let subject = occurrence.subject
    busy.insert(subject)
    guard let variables = await occurrence.variables(), !isClosed else {
      busy.remove(subject)
      return
    }
    guard running.count < limit else {
      busy.remove(subject)
      return skip(.tooMany(limit))
    }
    let made = ShellCommand(command, variables: variables.map(EventCommand.fit), hiding: hidden) {
      [weak self] process in
      Task { await self?.ended(process, subject) }
    }
    guard let made else {
      busy.remove(subject)
      return skip(.noProcess)
    }
    isTroubled = false
    let timer = timeLimit.map { limit in
      Task { if (try? await Task.sleep(for: limit)) != nil { made.end() } }
    }
    // The one before may have ended while this one was asked for its variables.
    busy.insert(subject)
    running[subject] = Running(process: made, timer: timer)
  }

  private func ended(_ process: ShellCommand, _ subject: String) async {
    // With `.ends` another one may run in its place.
    let current = running[subject]
    if current == nil || current?.process === process {
      current?.timer?.cancel()
      running[subject] = nil
      busy.remove(subject)
    }
    await startWaiting()
  }

  /// What a program finds in its environment has no zero byte in it, no control characters, and an end.
  private static func fit(_ variable: Variable) -> Variable {
    (variable.name, ForeignText(variable.value).limited(to: longestValue).description)
  }

  private func skip(_ problem: Problem) {
    unstarted += 1
    complain(problem)
  }

  private func complain(_ problem: Problem) {
    if !isTroubled { report(problem) }
    isTroubled = true
  }
}
