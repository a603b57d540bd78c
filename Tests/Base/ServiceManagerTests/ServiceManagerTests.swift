import Foundation
import Glibc
import LunaTesting
import ServiceManager
import Synchronization
import Testing

/// What a manager of services is told.
@Suite(.timeLimit(.minutes(10))) struct ServiceManagerTests {
  private func listen(_ prefix: String) throws -> (NotifyListener, ServiceManager) {
    let listener = try NotifyListener(prefix)
    let address = listener.address
    return (listener, ServiceManager { $0 == "NOTIFY_SOCKET" ? address : nil })
  }

  @Test(arguments: [true, false]) func tells(isAbstract: Bool) throws {
    let (listener, manager) = try listen(isAbstract ? "@" : NSTemporaryDirectory())
    #expect(manager.isThere)
    manager.tell(.ready, .status("listening\non hci0"))
    #expect(listener.next() == "READY=1\nSTATUS=listening on hci0")
    manager.tell(.alive)
    manager.tell(.stopping)
    #expect(listener.next() == "WATCHDOG=1")
    #expect(listener.next() == "STOPPING=1")
    #expect(listener.next() == nil)
  }

  @Test func aReloadSaysWhen() throws {
    let (listener, manager) = try listen("@")
    var before = timespec()
    clock_gettime(CLOCK_MONOTONIC, &before)
    manager.tell(.reloading)
    let words = try #require(listener.next()).split(separator: "\n")
    #expect(words.first == "RELOADING=1")
    let time = try #require(words.last?.split(separator: "=").last.flatMap { Int($0) })
    var after = timespec()
    clock_gettime(CLOCK_MONOTONIC, &after)
    let (first, last) = (before.tv_sec * 1_000_000, (after.tv_sec + 1) * 1_000_000)
    #expect((first..<last).contains(time))
  }

  @Test(arguments: [nil, "", "relative", "vsock:2:1"]) func tellsNobody(_ address: String?) {
    let manager = ServiceManager { $0 == "NOTIFY_SOCKET" ? address : nil }
    #expect(!manager.isThere)
    manager.tell(.ready)
  }

  @Test func doesNotMindThatNobodyListens() {
    let nobody = NSTemporaryDirectory() + "luna-nobody-\(getpid())"
    ServiceManager { $0 == "NOTIFY_SOCKET" ? nobody : nil }.tell(.ready)
    let long = "/" + String(repeating: "x", count: 200)
    ServiceManager { $0 == "NOTIFY_SOCKET" ? long : nil }.tell(.ready)
  }

  @Test func theLimitIsForTheProcessThatIsMeant() {
    func limit(_ variables: [String: String]) -> Duration? {
      ServiceManager(process: 7) { variables[$0] }.watchdogLimit
    }
    #expect(limit(["WATCHDOG_USEC": "30000000"]) == .seconds(30))
    #expect(limit(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"]) == .seconds(30))
    #expect(limit(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"]) == nil)
    #expect(limit(["WATCHDOG_USEC": "0"]) == nil)
    #expect(limit(["WATCHDOG_USEC": "soon"]) == nil)
    #expect(limit([:]) == nil)
  }

  @Test func theWatchdogIsFedWhileThereIsProof() async throws {
    let (listener, manager) = try listen("@")
    let address = listener.address
    let watched = ServiceManager {
      ["NOTIFY_SOCKET": address, "WATCHDOG_USEC": "3000"][$0]
    }
    #expect(manager.feedWatchdog { true } == nil)
    // Two proofs, and then none.
    let asked = Atomic<Int>(0)
    let (done, bell) = AsyncStream.makeStream(of: Void.self)
    let task = watched.feedWatchdog {
      let number = asked.wrappingAdd(1, ordering: .relaxed).newValue
      if number == 5 { bell.finish() }
      return number <= 2
    }
    for await _ in done {}
    task?.cancel()
    #expect(listener.next() == "WATCHDOG=1")
    #expect(listener.next() == "WATCHDOG=1")
    #expect(listener.next() == nil)
  }
}
