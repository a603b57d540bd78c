import CLinux
import Glibc
import Synchronization

/// One thread that waits for descriptors and for time (epoll, eventfd, timerfd), and runs the
/// actors that chose it as their executor. Callbacks and actors on the same reactor never run at
/// the same time.
///
/// A reactor lives as long as the process.
public final class Reactor: SerialExecutor {
  /// The reactor that sockets and D-Bus connections share.
  public static let shared = Reactor(name: "luna-reactor")

  private struct Inbox {
    var jobs: [UnownedJob] = []
    var isAwake = false
  }

  private let inbox = Mutex(Inbox())
  private let epoll: Int32
  private let wakeUp: Int32
  private let timer: Int32
  private let thread = Atomic<UInt>(0)
  /// Touched on the reactor's thread only, and before that thread exists.
  nonisolated(unsafe) private let registry = Registry()

  private final class Registry {
    var watches: [Int32: [ReactorWatch]] = [:]
    var timers: [ReactorTimer] = []
    var armed: ContinuousClock.Instant?
  }

  /// Starts a reactor whose thread is called `name` (at most 15 bytes).
  public init(name: String) {
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    timer = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
    // Out of descriptors or memory before anything has begun: there is nobody to report to.
    precondition(epoll >= 0 && wakeUp >= 0 && timer >= 0, "no descriptors left for the reactor")
    control(EPOLL_CTL_ADD, wakeUp, Interest.readable)
    control(EPOLL_CTL_ADD, timer, Interest.readable)

    // Signals are for the threads that asked for them.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var id = pthread_t()
    let context = Unmanaged.passRetained(self).toOpaque()
    let failed = pthread_create(&id, nil, Reactor.main, context)
    precondition(failed == 0, "no thread for the reactor")
    luna_name_thread(id, name)
    pthread_detach(id)
  }

  private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let context = $0 else { return nil }
    let reactor = Unmanaged<Reactor>.fromOpaque(context).takeUnretainedValue()
    reactor.thread.store(UInt(pthread_self()), ordering: .relaxed)
    reactor.run()
    return nil
  }

  /// Queues a job of an actor.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustWake = inbox.withLock { inbox in
      inbox.jobs.append(job)
      defer { inbox.isAwake = true }
      return !inbox.isAwake
    }
    if mustWake && !isCurrent { eventfd_write(wakeUp, 1) }
  }

  /// Traps unless the caller runs on the reactor's thread.
  public func checkIsolated() {
    precondition(isCurrent, "not on the reactor's thread")
  }

  /// Whether the caller runs on the reactor's thread.
  public func isIsolatingCurrentContext() -> Bool? { isCurrent }

  private var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Calls `handler` whenever `descriptor` is ready, until the watch is cancelled; cancel it
  /// before the descriptor is closed. A descriptor can have several watches.
  public func watch(
    _ descriptor: Int32, for interest: Interest, _ handler: @escaping (Interest) -> Void
  ) -> ReactorWatch {
    checkIsolated()
    let watch = ReactorWatch(self, descriptor, interest, handler)
    let isFirst = registry.watches[descriptor] == nil
    registry.watches[descriptor, default: []].append(watch)
    let interest = allInterest(in: descriptor)
    if !control(isFirst ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, interest) {
      // Somebody has closed the descriptor before the watch was cancelled: it is another file now.
      control(isFirst ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, interest)
    }
    return watch
  }

  /// Calls `handler` with `owner` whenever `descriptor` is ready, until the watch is cancelled or the
  /// owner gone: a descriptor that nobody reads would keep the reactor busy for ever.
  public func watch<Owner: AnyObject>(
    _ descriptor: Int32, for interest: Interest, ownedBy owner: Owner,
    _ handler: @escaping (Owner, Interest) -> Void
  ) -> ReactorWatch {
    let orphan = Orphan()
    let watch = watch(descriptor, for: interest) { [weak owner] ready in
      guard let owner else { return orphan.watch?.cancel() ?? () }
      handler(owner, ready)
    }
    orphan.watch = watch
    return watch
  }

  /// The watch whose owner may be gone.
  private final class Orphan {
    weak var watch: ReactorWatch?
  }

  /// Whether anybody watches a descriptor.
  func isWatched(_ descriptor: Int32) -> Bool {
    checkIsolated()
    return registry.watches[descriptor] != nil
  }

  func interestChanged(of descriptor: Int32) {
    checkIsolated()
    guard registry.watches[descriptor] != nil else { return }
    control(EPOLL_CTL_MOD, descriptor, allInterest(in: descriptor))
  }

  func remove(_ watch: ReactorWatch) {
    checkIsolated()
    registry.watches[watch.descriptor]?.removeAll { $0 === watch }
    if registry.watches[watch.descriptor]?.isEmpty == true {
      registry.watches[watch.descriptor] = nil
      control(EPOLL_CTL_DEL, watch.descriptor, [])
    } else {
      interestChanged(of: watch.descriptor)
    }
  }

  private func allInterest(in descriptor: Int32) -> Interest {
    (registry.watches[descriptor] ?? []).reduce(into: Interest()) { $0.formUnion($1.interest) }
  }

  @discardableResult
  private func control(_ operation: Int32, _ descriptor: Int32, _ interest: Interest) -> Bool {
    var event = epoll_event()
    event.events = interest.rawValue
    event.data.fd = descriptor
    return epoll_ctl(epoll, operation, descriptor, &event) == 0
  }

  /// Calls `handler` once, `delay` from now, unless the timer is cancelled before.
  public func schedule(after delay: Duration, _ handler: @escaping () -> Void) -> ReactorTimer {
    checkIsolated()
    let timer = ReactorTimer(self, .now + delay, handler)
    let place = registry.timers.firstIndex { $0.deadline > timer.deadline }
    registry.timers.insert(timer, at: place ?? registry.timers.endIndex)
    return timer
  }

  func remove(_ timer: ReactorTimer) {
    checkIsolated()
    registry.timers.removeAll { $0 === timer }
  }

  /// Those that are due now: one that is set again for at once must not keep jobs and descriptors waiting for ever.
  private func runTimers() {
    let now = ContinuousClock.now
    while let first = registry.timers.first, first.deadline <= now {
      registry.timers.removeFirst()
      first.fire()
    }
  }

  private func armTimer() {
    let next = registry.timers.first?.deadline
    guard next != registry.armed else { return }
    registry.armed = next
    var setting = itimerspec()
    if let next {
      // Zero would disarm it.
      let delay = max(.nanoseconds(1), next - .now).components
      setting.it_value = timespec(
        tv_sec: Int(delay.seconds), tv_nsec: Int(delay.attoseconds / 1_000_000_000))
      if setting.it_value.tv_sec == 0 && setting.it_value.tv_nsec == 0 {
        setting.it_value.tv_nsec = 1
      }
    }
    timerfd_settime(timer, 0, &setting, nil)
  }

  private func run() {
    var events = [epoll_event](repeating: epoll_event(), count: 32)
    while true {
      runJobs()
      armTimer()
      let count = epoll_wait(epoll, &events, Int32(events.count), hasJobs ? 0 : -1)
      inbox.withLock { $0.isAwake = true }
      for event in events.prefix(max(0, Int(count))) {
        let descriptor = event.data.fd
        if descriptor == wakeUp || descriptor == timer {
          var number: UInt64 = 0
          _ = read(descriptor, &number, MemoryLayout<UInt64>.size)
          if descriptor == timer { registry.armed = nil }
          continue
        }
        guard let watches = registry.watches[descriptor] else {
          // Nobody is left who could take what it is ready for: it would be ready for ever.
          control(EPOLL_CTL_DEL, descriptor, [])
          continue
        }
        let ready = Interest(rawValue: event.events)
        for watch in watches { watch.call(ready) }
      }
      runTimers()
    }
  }

  private var hasJobs: Bool {
    inbox.withLock { inbox in
      // From here on, whoever queues a job has to wake the loop.
      inbox.isAwake = !inbox.jobs.isEmpty
      return inbox.isAwake
    }
  }

  private func runJobs() {
    let jobs = inbox.withLock { inbox in
      defer { inbox.jobs.removeAll(keepingCapacity: true) }
      return inbox.jobs
    }
    for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }
}
