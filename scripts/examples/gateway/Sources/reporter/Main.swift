// A gateway that reports trackers to their owners, who alone can read where: `reporter [DIR [URL]]`. What it hears
// waits in DIR until the backend at URL has it.

import Luna

@main
struct Main {
  static func main() async throws {
    var settings = LunaSettings()
    settings.state = StateDirectory(path: CommandLine.arguments.dropFirst().first ?? "reporter")
    // A simulated room. Without this line, it is the first adapter.
    settings.radio = try TrackerRoom(seed: 1)
    settings.location = try LocationChoice("static:52.5186,13.3763")

    var configuration = LunaConfiguration()
    configuration.backend = CommandLine.arguments.dropFirst(2).first
    let finder = Luna(settings).finder()
    let updates = finder.updates
    finder.startMonitoring(configuration: configuration)
    var found: Set<HEID> = []
    // Four trackers of the room have an owner. A real gateway goes on.
    for await update in updates where found.count < 4 {
      guard case .found(let heid, _, _) = update else { continue }
      print("reported: \(heid)")
      if found.insert(heid).inserted, found.count == 4 { finder.stopMonitoring() }
    }
    if let failure = await finder.wait() { throw failure }
  }
}
