import Bluetooth
import Foundation
import LunaCore
import LunaStore
import Testing

/// `luna watch list`, `show` and `mark` as a user runs them where no home runs.
@Suite(.timeLimit(.minutes(10)))
struct WatchHomeCommandTests {
  private static let id = "tile:000000000001"

  private static let now = WallClock.system.now().rfc3339

  /// Found just now: what is too old is forgotten.
  private static let suspect = """
    {"type": "suspect", "id": "tile:000000000001", "time": "\(now)",
     "told": "\(now)", "grade": "alarm", "family": "tile",
     "identifiers": ["tile:000000000001"], "confidence": 0.97, "trips": 2, "places": 3,
     "minutes": 90, "metres": 16000, "reasons": ["madeTrips"], "rssi": -60,
     "rides": [{"begin": "2026-05-01T07:00:00Z", "end": "2026-05-01T07:25:00Z",
       "fromLatitude": 52.5, "fromLongitude": 13.4, "toLatitude": 52.6, "toLongitude": 13.5,
       "metres": 8000, "heard": 12, "listened": 13, "after": 30, "made": true}],
     "links": [], "excluded": null, "tracker": null, "mark": null,
     "identity": {"type": "identity", "time": "2026-05-01T08:00:00Z", "model": "AirTag"}}
    """

  private let luna: Luna
  private let state: String

  init() throws {
    luna = try Luna()
    state = luna.directory + "/home"
  }

  /// What a home has kept.
  private func keep(_ suspect: String) async throws {
    let store = try await HomeStore.open(in: StateDirectory(path: state))
    try await store.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.save(["suspect/" + Self.id: Array(suspect.utf8)])
    }
    await store.close()
  }

  private func watch(_ words: String..., format: String = "jsonl") async throws -> Luna.Answer {
    try await luna.run(["watch"] + words + ["--state", state, "--format", format])
  }

  @Test func listsWhatWasFoundBesideWhatWasListenedTo() async throws {
    try await keep(Self.suspect)
    let answer = try await watch("list")
    #expect(answer.code == 0, "\(answer.errors)")
    #expect(answer.lines.compactMap { $0["type"] as? String } == ["suspect", "listened"])
    #expect(answer.lines.first?["id"] as? String == Self.id)
    #expect((answer.lines.last?["cannotFind"] as? [String])?.count == 3)
    let text = try await watch("list", format: "table").output
    #expect(text.contains(Self.id) && text.contains("16000"))
    #expect(text.contains("Nothing was listened to."))
    #expect(text.contains("Silent trackers cannot be found"))
    let csv = try await watch("list", format: "csv")
    let rows = csv.output.split(separator: "\n")
    #expect(rows.count == 2 && rows[0].hasPrefix("id,time,told,grade,family,confidence,trips,"))
    #expect(rows.last?.hasPrefix("\(Self.id),") == true, "\(rows)")
    #expect(rows.last?.contains(",alarm,tile,0.97,2,3,16000,90,madeTrips,-60,") == true)
    #expect(csv.errors.contains("Nothing was listened to."))
  }

  @Test func showsWhatSpeaksForIt() async throws {
    try await keep(Self.suspect)
    let answer = try await watch("show", Self.id)
    #expect(answer.code == 0, "\(answer.errors)")
    #expect(answer.lines.first?["metres"] as? Int == 16_000)
    let text = try await watch("show", Self.id, format: "table").output
    #expect(text.contains("97 % sure"))
    #expect(text.contains("came along on two trips"))
    #expect(text.contains("heard in 12 of 13 slots of two minutes, came along"))
    #expect(text.contains("Signal -60 dBm"))
    #expect(text.contains("It says that it is: AirTag"))
  }

  @Test func marksAndTakesBack() async throws {
    try await keep(Self.suspect)
    let marked = try await watch("mark", Self.id, "known")
    #expect(marked.code == 0, "\(marked.errors)")
    #expect(marked.lines.first?["excluded"] as? String == "known")
    let mark = try #require(marked.lines.first?["mark"] as? [String: Any])
    #expect((mark["by"] as? String)?.isEmpty == false)
    let text = try await watch("list", format: "table").output
    #expect(text.contains("known"))
    #expect(try await watch("mark", Self.id, "none").code == 0)
    #expect(try await watch("show", Self.id).lines.first?["mark"] is NSNull)
  }

  @Test func saysWhatIsWrong() async throws {
    let nowhere = try await watch("list")
    #expect(nowhere.code == 1 && nowhere.errors.contains("no home has run"))
    #expect(try await watch("mark", Self.id, "known").code == 1)
    // Looking for one makes none.
    #expect(!FileManager.default.fileExists(atPath: state + "/home.sqlite"))
    try await keep(Self.suspect)
    let unknown = try await watch("show", "tile:000000000002")
    #expect(unknown.code == 1 && unknown.errors.contains("nothing is known of such a tracker"))
    #expect(try await watch("mark", "tile:000000000002", "known").code == 1)
    #expect(try await watch("mark", Self.id, "own").code == 2)
    #expect(try await watch("show").code == 2)
  }

  @Test func aHomeThatBeginsIsNotMarkedBeside() async throws {
    try await keep(Self.suspect)
    let store = try await HomeStore.open(in: StateDirectory(path: state))
    #expect(try await watch("mark", Self.id, "known").code == 6)
    #expect(try await watch("list").code == 0)
    await store.close()
  }
}
