import Luna
import LunaTracker

/// A gateway that reports the trackers of the simulated room: where and when, sealed for their owners.
///
///     reporter DIR [URL]
///
/// What it hears waits in DIR; with the URL of a backend, whose token is in DIR/gateway.token, it is
/// uploaded. On a real gateway `makeRadio` and `isSimulated` are left out: then the best path to the
/// first adapter is taken. So is `makeLocation` where gpsd knows the place.
@main
struct Main {
  static func main() async throws {
    guard let directory = CommandLine.arguments.dropFirst().first else {
      print("usage: reporter DIR [URL]")
      throw Stop()
    }
    let room = try TrackerRoom(seed: 1)
    var settings = LunaSettings()
    settings.state = StateDirectory(path: directory)
    settings.makeRadio = { _ in room.radio() }
    settings.isSimulated = true
    settings.makeLocation = { _ in
      StaticLocation(LocationFix(latitude: 52.5186, longitude: 13.3763))
    }

    var configuration = LunaConfiguration()
    configuration.backend = CommandLine.arguments.dropFirst(2).first
    // In this room there is nothing to save power for.
    configuration.duty = .full

    let reporter = Reporter()
    let finder = Luna(settings).finder()
    finder.delegate = reporter
    let updates = finder.updates
    finder.startMonitoring(configuration: configuration)
    let deadline = Task {
      try await Task.sleep(for: .seconds(60))
      finder.stopMonitoring()
    }
    // Four trackers of the room have an owner; the fifth waits for one, and is never reported.
    var found: Set<HEID> = []
    for await update in updates {
      if case .found(let heid, _, _) = update { found.insert(heid) }
      if found.count == 4 { break }
    }
    deadline.cancel()
    if let failure = await finder.finish() { throw failure }

    let status = try SQLiteEventQueue.status(
      in: StateDirectory(path: directory), fileName: configuration.dataFilename,
      at: WallClock.system.now())
    print(
      "\(found.count) trackers were reported, \(status?.waiting ?? 0) sealed reports wait in \(directory)"
    )
    if found.count != 4 { throw Stop() }
  }

  struct Stop: Error {}
}

/// Is told what happens, one call after the other.
final class Reporter: LunaDelegate {
  func lunaFinder(didFailWithError error: any Error) { print("problem: \(error)") }

  func lunaFinder(didFindHeid heid: String) { print("reported: \(heid)") }
}
