import Beacons
import Bluetooth
import Luna
import LunaBuzzer
import LunaCore
import LunaJSON
import LunaStore
import LunaWatch
import Testing

@testable import LunaHome

/// What a home asks of trackers of others that stay with it, in the simulated room.
@Suite(.timeLimit(.minutes(10))) struct StrangerTests {
  private func kind(
    _ body: () async throws(HomeError) -> HomeCommandRow
  ) async -> HomeError.Kind? {
    do throws(HomeError) {
      _ = try await body()
      return nil
    } catch {
      return error.kind
    }
  }

  /// Waits until a command is in a state, or has failed.
  ///
  /// - Returns: how far it was by then.
  private func wait(
    for state: String, of command: String, _ changes: AsyncStream<HomeChange>
  ) async -> HomeCommandRow? {
    for await change in changes {
      guard case .command(let row) = change.event, row.id == command else { continue }
      if row.state == state || row.state == "failed" { return row }
    }
    return nil
  }

  @Test func ringsOneThatIsAwayFromItsOwner() async throws {
    let bench = try ShellBench("{}")
    try await bench.home.start()
    let changes = await bench.home.changes()
    let id = try await bench.home.meet(.appleFindMy, .separated)
    let row = try await bench.home.ring(suspect: id)
    #expect(row.tracker == id && row.isForOwners && row.isOfWatch)
    // One at a time.
    let other = await kind { () throws(HomeError) in try await bench.home.identify(suspect: id) }
    #expect(other == .action)
    let sounding = await wait(for: "sounding", of: row.id, changes)
    #expect(sounding?.state == "sounding", "\(sounding?.detail ?? "")")
    let states = await bench.home.steps(of: row.id).map(\.state)
    #expect(states.prefix(2) == ["begun", "listening"] && states.contains("connecting"))
    await bench.home.stop()
  }

  @Test func whatItTellsIsKeptWithTheEvidence() async throws {
    let bench = try ShellBench("{}")
    try await bench.home.start()
    let changes = await bench.home.changes()
    let id = try await bench.home.meet(.dult, .separated)
    let row = try await bench.home.identify(suspect: id)
    let done = await wait(for: "done", of: row.id, changes)
    #expect(done?.state == "done", "\(done?.detail ?? "")")
    await bench.home.stop()
    let next = try ShellBench("{}", in: bench)
    try await next.home.start()
    guard case .object(let object) = try await next.home.suspect(id).json,
      case .object(let identity)? = object["identity"]
    else {
      Issue.record("nothing was kept")
      return await next.home.stop()
    }
    #expect(identity["manufacturer"] == "Example Trackers")
    #expect(identity["networkName"] == "Google")
    #expect(identity["time"] != nil)
    await next.home.stop()
  }

  @Test func oneThatIsNearItsOwnerDoesNotObey() async throws {
    let bench = try ShellBench("{}")
    try await bench.home.start()
    let changes = await bench.home.changes()
    let id = try await bench.home.meet(.appleFindMy, .nearOwner)
    let row = try await bench.home.ring(suspect: id)
    let end = await wait(for: "sounding", of: row.id, changes)
    #expect(end?.state == "failed")
    #expect(await bench.home.steps(of: row.id).last?.code == "notSeparated")
    await bench.home.stop()
  }

  @Test func oneThatIsGoneIsNotHeard() async throws {
    var limits = BuzzerLimits()
    limits.silence = .milliseconds(50)
    let bench = try ShellBench("{}", limits: limits)
    try await bench.home.start()
    let changes = await bench.home.changes()
    await bench.home.find("dult:0123456789ab")
    let row = try await bench.home.ring(suspect: "dult:0123456789ab")
    let end = await wait(for: "sounding", of: row.id, changes)
    #expect(end?.state == "failed")
    #expect(await bench.home.steps(of: row.id).last?.code == "notHeard")
    await bench.home.stop()
  }

  @Test func saysAtOnceWhomOthersObey() async throws {
    let bench = try ShellBench("{}")
    let early = await kind { () throws(HomeError) in try await bench.home.ring(suspect: "tile:1") }
    #expect(early == .state)
    try await bench.home.start()
    let unknown = await kind { () throws(HomeError) in
      try await bench.home.ring(suspect: "tile:1")
    }
    #expect(unknown == .notFound)
    await bench.home.find("tile:000000000001")
    await #expect { try await bench.home.ring(suspect: "tile:000000000001") } throws: {
      ($0 as? HomeError)?.kind == .action && "\($0)".contains("Tile app")
    }
    await bench.home.find("luna:0000000000000001")
    let identify = await kind { () throws(HomeError) in
      try await bench.home.identify(suspect: "luna:0000000000000001")
    }
    #expect(identify == .action)
    let json = try await bench.home.suspect("tile:000000000001").json
    guard case .object(let object) = json, case .object(let allows)? = object["allows"] else {
      Issue.record("it does not say what it allows")
      return await bench.home.stop()
    }
    let owner: JSONValue = ["anyone": false, "who": "its owner, in the Tile app"]
    #expect(allows["ring"] == owner)
    await bench.home.stop()
  }
}

extension LunaHome {
  /// Takes a tracker as found.
  fileprivate func find(_ id: String) {
    let time = HomeTime.json(now.wall)
    let json: JSONValue = [
      "id": .string(id), "time": time, "told": time, "grade": "suspect",
      "identifiers": [.string(id)],
    ]
    if let suspect = HomeSuspect(kept: json.bytes) { watch.suspects.append(suspect) }
  }

  /// Takes the first tracker as found that is heard of a family and says this of its owner.
  fileprivate func meet(_ family: BeaconFamily, _ state: WatchState) async throws -> String {
    let source = try luna.advertisements()
    try await source.start()
    let decoder = BeaconDecoder()
    var found: String?
    while found == nil, let batch = try await source.nextBatch() {
      for report in batch {
        for beacon in decoder.beacons(in: report) {
          guard let frame = WatchFrame(beacon, in: report), frame.identifier.family == family,
            frame.state == state
          else { continue }
          found = frame.identifier.description
        }
      }
    }
    await source.stop()
    let id = try #require(found)
    find(id)
    return id
  }
}
