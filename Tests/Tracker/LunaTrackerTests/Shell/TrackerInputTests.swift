import LunaProtocol
import Synchronization
import Testing
import TrackerMachine

@testable import LunaTracker

@Suite("Lines that say what somebody does to trackers", .timeLimit(.minutes(10)))
struct TrackerInputTests {
  /// Lines that somebody has typed.
  private final class Typed: Sendable {
    private let lines: Mutex<[String]>

    init(_ lines: [String]) { self.lines = Mutex(lines) }

    func next() -> String? { lines.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
  }

  private static func word(_ event: TrackerMachine.Event) -> String {
    switch event {
    case .buttonDown: "down"
    case .buttonUp: "up"
    case .battery(let level): level == .low ? "low" : "another battery"
    default: "something else"
    }
  }

  @Test("Each tracker gets what is done to it; what makes no sense is told")
  func handsOnWhatLinesSay() async {
    let typed = Typed(["button keys", "button wallet", "", "battery bag low"])
    let (told, inlet) = AsyncStream.makeStream(of: String.self)
    TrackerInput.take(
      { typed.next() }, names: ["keys", "bag"], mistaken: { inlet.yield("no: \($0)") },
      send: { inlet.yield("\($1): \(TrackerInputTests.word($0))") })
    var heard: [String] = []
    for await one in told {
      heard.append(one)
      if heard.count == 4 { break }
    }
    #expect(heard.filter { !$0.hasPrefix("no") } == ["keys: down", "keys: up", "bag: low"])
    #expect(heard.contains("no: button wallet"))
  }
}
