import Bluetooth
import Diagnosis
import HCIHost

/// Decides how a connection is made through bluetoothd: what is asked of it, when an attempt is
/// made again, and when it is given up. It knows neither clock nor bus: it takes events with the
/// time since the start, and returns what is to be done.
struct DaemonConnector: Sendable {
  /// What happened.
  enum Event: Sendable {
    /// The connection is wanted.
    case start
    /// bluetoothd knows the peer.
    case known
    /// Device1.Connect has returned.
    case answered
    /// The property Connected of the peer's object.
    case connected(Bool)
    /// The property ServicesResolved of the peer's object.
    case resolved(Bool)
    /// The objects of the peer's services were looked at; how many characteristics there are.
    case services(Int)
    /// What was asked for did not work, or cannot work any more.
    case failed(GATTError)
    /// The time asked for with `wake` has come.
    case timer
  }

  /// What is to be done, in this order.
  enum Action: Hashable, Sendable {
    /// Wait until bluetoothd knows the peer; answered by `known` or `failed`.
    case find
    /// Call Device1.Connect; answered by `answered` or `failed`.
    case connect
    /// Look for the objects of the services; answered by `services` or `failed`.
    case readServices
    /// Send `timer` then; an earlier wish is void.
    case wake(at: Duration)
    /// Tell a person.
    case tell(String)
    /// The end: connected, or why not.
    case finish(GATTError?)
  }

  private enum Phase: Sendable {
    case idle, finding, connecting, resolving, reading, waiting, finished
  }

  /// Between two looks for the objects of the services, which may come after ServicesResolved
  /// (bluez#1489).
  static let lookAgain = Duration.milliseconds(100)
  /// So many looks without any object mean that there is none that bluetoothd shows.
  static let looks = 20
  /// bluetoothd 5.66 calls every failed attempt "abort-by-local", also one that nobody answered for
  /// the 20 s that the kernel waits. One that took this long was of that sort.
  static let unanswered = Duration.seconds(5)

  private let peer: GATTPeer
  private let limit: Duration
  private var phase = Phase.idle
  private var attempt = 0
  private var failures = 0
  private var began = Duration.zero
  private var due: Duration?
  private var isConnected = false
  private var isResolved = false
  private var looksTaken = 0
  private var lastError: GATTError?
  /// Whether bluetoothd does not know the peer, or not any more.
  private var isForgotten = false

  init(peer: GATTPeer, limit: Duration) {
    self.peer = peer
    self.limit = limit
  }

  /// Takes an event that happened at `now`.
  mutating func handle(_ event: Event, at now: Duration) -> [Action] {
    guard phase != .finished else { return [] }
    switch event {
    case .start: return phase == .idle ? find() : []
    case .known: return phase == .finding ? connect(now) : []
    case .answered: return phase == .connecting ? answered(now) : []
    case .connected(let flag): return connected(flag, now)
    case .resolved(let flag): return resolved(flag)
    case .services(let count): return phase == .reading ? services(count, now) : []
    case .failed(let error): return failed(error, now)
    case .timer: return timer(now)
    }
  }

  private mutating func find() -> [Action] {
    phase = .finding
    isForgotten = false
    due = nil
    return [.find, wake]
  }

  private mutating func connect(_ now: Duration) -> [Action] {
    phase = .connecting
    attempt += 1
    began = now
    looksTaken = 0
    due = nil
    return [.tell("attempt \(attempt) to connect to \(peer)"), .connect, wake]
  }

  private mutating func answered(_ now: Duration) -> [Action] {
    phase = .resolving
    return isResolved ? read() : []
  }

  private mutating func connected(_ flag: Bool, _ now: Duration) -> [Action] {
    let wasConnected = isConnected
    isConnected = flag
    guard wasConnected, !flag else { return [] }
    isResolved = false
    // While Connect has not returned, its error will tell more.
    guard phase == .resolving || phase == .reading else { return [] }
    return again(
      after: GATTError(
        .abortedByPeer, during: "connect", "the connection broke before the services were known"),
      now)
  }

  private mutating func resolved(_ flag: Bool) -> [Action] {
    isResolved = flag
    return flag && phase == .resolving ? read() : []
  }

  private mutating func read() -> [Action] {
    phase = .reading
    due = nil
    looksTaken += 1
    return [.readServices, wake]
  }

  private mutating func services(_ count: Int, _ now: Duration) -> [Action] {
    if count > 0 || looksTaken >= DaemonConnector.looks { return finish(nil) }
    due = now + DaemonConnector.lookAgain
    return [wake]
  }

  private mutating func failed(_ error: GATTError, _ now: Duration) -> [Action] {
    switch error.kind {
    // Another attempt may mend it.
    case .abortedLocally, .abortedByPeer, .busy, .outOfRange, .timedOut:
      return phase == .waiting ? [] : again(after: error, now)
    // bluetoothd forgets a peer that it has not heard for a while.
    case .notFound:
      switch phase {
      case .connecting, .resolving, .reading:
        isForgotten = true
        return again(after: error, now)
      case .idle, .finding, .waiting, .finished: return finish(error)
      }
    case .refused, .malformed, .adapterLost, .daemonRestarted: return finish(error)
    }
  }

  private mutating func again(after error: GATTError, _ now: Duration) -> [Action] {
    let wasUnanswered = phase == .connecting && now - began >= DaemonConnector.unanswered
    lastError =
      wasUnanswered && error.kind == .abortedLocally ? silence : error
    let delays = ConnectRetries.delays
    let delay = delays[min(failures, delays.count - 1)]
    failures += 1
    // A peer that was not found yet cannot be connected to.
    if phase == .finding { isForgotten = true }
    phase = .waiting
    due = now + delay
    return [.tell("\(error.reason); trying again"), wake]
  }

  private var silence: GATTError {
    GATTError(
      .outOfRange, during: "connect",
      "\(peer) does not answer: it is out of range, or accepts no connections now")
  }

  private mutating func timer(_ now: Duration) -> [Action] {
    if now >= limit { return finish(tooLate) }
    guard let due, now >= due else { return [wake] }
    self.due = nil
    switch phase {
    case .waiting: return isForgotten ? find() : connect(now)
    case .reading: return read()
    case .idle, .finding, .connecting, .resolving, .finished: return [wake]
    }
  }

  /// Why the limit has come.
  private var tooLate: GATTError {
    switch phase {
    case .finding:
      lastError
        ?? GATTError(
          .outOfRange, during: "connect",
          "\(peer) was not heard: it is out of range, or has another address now")
    case .waiting: lastError ?? silence
    case .resolving, .reading:
      GATTError(
        .timedOut, during: "discover", "connected, but the services did not become known in time")
    case .idle, .connecting, .finished: silence
    }
  }

  private var wake: Action { .wake(at: min(due ?? limit, limit)) }

  private mutating func finish(_ error: GATTError?) -> [Action] {
    phase = .finished
    return [.finish(error)]
  }
}
