import LunaJSON
import Synchronization
import Testing

@testable import LunaBackend

@Suite struct StorageOutageTests {
  /// The messages of a log.
  private final class Lines: Sendable {
    let texts = Mutex<[String]>([])

    var log: BackendLog {
      BackendLog(level: .info) { _, line in
        guard case .object(let object)? = try? JSONReader.read(Array(line.utf8)),
          case .string(let text)? = object["message"]
        else { return }
        self.texts.withLock { $0.append(text) }
      }
    }
  }

  private let lines = Lines()
  private let lost = StorageError(.unavailable, "lost")
  private let full = StorageError(.full, "full")

  @Test func tellsOnceThatItFailsAndOnceThatItWorks() {
    let outage = StorageOutage(lines.log, patience: .zero)
    outage.worked("upload")
    for _ in 0..<100 { outage.failed(lost, "upload", since: .now) }
    outage.failed(lost, "query", since: .now)
    outage.worked("other")
    #expect(lines.texts.withLock { $0 } == ["lost"])
    // A server that answers is back for everything.
    outage.worked("upload")
    outage.worked("query")
    #expect(lines.texts.withLock { $0 } == ["lost", "the storage works again"])
    outage.failed(lost, "upload", since: .now)
    #expect(lines.texts.withLock { $0 }.count == 3)
  }

  @Test func saysThatItWorksWhenThatLasts() {
    let outage = StorageOutage(lines.log, patience: .seconds(1000))
    outage.failed(lost, "upload", since: .now)
    outage.worked("upload")
    outage.failed(lost, "upload", since: .now)
    outage.settle(at: .now.advanced(by: .seconds(2000)))
    #expect(lines.texts.withLock { $0 } == ["lost"])
    outage.worked("upload")
    outage.settle(at: .now)
    #expect(lines.texts.withLock { $0 } == ["lost"])
    outage.settle(at: .now.advanced(by: .seconds(2000)))
    outage.settle(at: .now.advanced(by: .seconds(2000)))
    #expect(lines.texts.withLock { $0 } == ["lost", "the storage works again"])
  }

  @Test func saysNothingOfWhatWasBegunBefore() {
    let outage = StorageOutage(lines.log, patience: .zero)
    let before = ContinuousClock.now
    outage.failed(lost, "upload", since: .now)
    outage.worked("upload")
    outage.failed(lost, "query", since: before)
    #expect(lines.texts.withLock { $0.count } == 2)
  }

  @Test func waitsUntilAllWorksWhereADiskIsFull() {
    let outage = StorageOutage(lines.log, patience: .zero)
    outage.failed(full, "upload", since: .now)
    outage.failed(full, "readiness", since: .now)
    outage.worked("readiness")
    outage.failed(full, "upload", since: .now)
    #expect(lines.texts.withLock { $0 } == ["full"])
    // Another kind of trouble is news.
    outage.failed(lost, "upload", since: .now)
    outage.worked("upload")
    #expect(lines.texts.withLock { $0 } == ["full", "lost", "the storage works again"])
  }
}
