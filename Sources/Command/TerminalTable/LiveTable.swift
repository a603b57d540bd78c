import CLinux
import Glibc
import Synchronization

/// Runs the live table on the terminal: keys and snapshots in, frames out.
///
/// ```swift
/// let table = try LiveTable(description, style: style) { rows.snapshot($0) }
/// switch try await table.run() { … }
/// ```
public final class LiveTable: Sendable {
  /// Why the table ended.
  public enum End: Sendable, Equatable {
    /// The user wants it.
    case quit
    /// `stop` was called, or the task was cancelled.
    case stopped
    /// The terminal is gone.
    case hungUp
  }

  /// Gives what there is to show; called on the table's own thread, four times a second.
  public typealias Source = @Sendable (TableRequest) -> TableSnapshot

  private let path: String?
  private let renderer: FrameRenderer
  private let source: Source
  private let interval: Duration
  private let table: TableDescription
  private let notification: CInt
  private let wantsStop = Atomic(false)

  /// - Parameters:
  ///   - table: what is shown.
  ///   - style: what may be used to draw.
  ///   - interval: the time between two snapshots.
  ///   - path: the terminal; nil for the controlling one.
  ///   - source: gives what there is to show.
  public init(
    _ table: TableDescription, style: TableStyle, interval: Duration = .milliseconds(250),
    path: String? = nil, source: @escaping Source
  ) throws(TerminalError) {
    notification = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    if notification < 0 { throw TerminalError(kind: .resources, code: errno) }
    renderer = FrameRenderer(style: style)
    self.path = path
    self.interval = interval
    self.table = table
    self.source = source
  }

  deinit {
    close(notification)
  }

  /// Ends the table soon; from any thread.
  public func stop() {
    wantsStop.store(true, ordering: .releasing)
    var one: UInt64 = 1
    write(notification, &one, 8)
  }

  /// Shows the table on a thread of its own until it ends; the terminal is restored when this
  /// returns.
  public func run() async throws(TerminalError) -> End {
    let result: Result<End, TerminalError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Self.startThread {
          continuation.resume(returning: Result { () throws(TerminalError) in try self.runHere() })
        }
      }
    } onCancel: {
      stop()
    }
    return try result.get()
  }

  /// The same on the calling thread.
  public func runHere() throws(TerminalError) -> End {
    let terminal = try Terminal(path: path, notification: notification)
    let clock = ContinuousClock()
    var state = TableState(table, size: terminal.size)
    var decoder = KeyDecoder()
    var nextSnapshot = clock.now
    while true {
      if wantsStop.load(ordering: .acquiring) { return .stopped }
      if clock.now >= nextSnapshot {
        _ = state.handle(.snapshot(source(state.request)))
        nextSnapshot = clock.now + interval
        terminal.write(renderer.bytes(of: state))
      }

      let wait = decoder.isWaiting ? .milliseconds(50) : clock.now.duration(to: nextSnapshot)
      let wakeup = terminal.wait(milliseconds: Self.milliseconds(wait))
      if wakeup.isHungUp { return .hungUp }
      let request = state.request
      let keys = wakeup.bytes.isEmpty ? decoder.flush() : decoder.decode(wakeup.bytes)
      var actions = keys.map { state.handle(.key($0)) }
      if wakeup.isNotified {
        terminal.settle()
        actions.append(state.handle(.resize(terminal.size)))
      }
      if actions.contains(.quit) { return .quit }
      if state.request != request {
        // Details, or what passes the filter, come with the next snapshot, which draws.
        nextSnapshot = clock.now
      } else if actions.contains(.redraw) {
        terminal.write(renderer.bytes(of: state))
      }
    }
  }

  private static func milliseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    return max(0, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
  }

  private static func startThread(_ body: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(body))
    let failed = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, box.toOpaque())
    if failed == 0 { pthread_detach(thread) } else { box.takeRetainedValue().body() }
  }
}
