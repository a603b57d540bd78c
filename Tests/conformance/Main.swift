import BlueZ
import Bluetooth
import Glibc

/// Checks a ``GATTClient`` against the peer of scripts/vm/peer.py:
///
///     luna-gatt-conformance RADIO PEER [--adapter hciN] [--only TEXT] [--list]
///     luna-gatt-conformance RADIO PEER [--adapter hciN] --interactive
///
/// RADIO is a radio path (`dbus`, `mgmt`, `exclusive`, `h4:PATH`), PEER the address of the peer.
/// Prints "ok NAME" or "FAILED NAME: reason" for every check, then "N passed, N failed".
@main
struct Main {
  static func main() async {
    var words = Array(CommandLine.arguments.dropFirst())
    if words.contains("--list") {
      for check in Check.all { say(check.name) }
      return
    }
    func option(_ name: String) -> String? {
      guard let place = words.firstIndex(of: name), place + 1 < words.count else { return nil }
      defer { words.removeSubrange(place...place + 1) }
      return words[place + 1]
    }
    let isInteractive = words.contains("--interactive")
    words.removeAll { $0 == "--interactive" }
    let only = option("--only") ?? ""
    let adapter = option("--adapter").flatMap { AdapterSelector($0) }
    guard words.count == 2, let peer = BluetoothAddress(words[1]) else {
      say("usage: luna-gatt-conformance RADIO PEER [--adapter hciN] [--only TEXT] [--list]")
      exit(64)
    }
    let stage: Stage
    do {
      let radio = try makeRadio(
        RadioPath(words[0]), options: ScanOptions(adapters: adapter.map { [$0] } ?? []))
      stage = try await Stage(
        radio, peer: peer, usesDaemon: ["auto", "observe", "dbus"].contains(words[0]))
    } catch {
      say("FAILED start: \(error)")
      exit(1)
    }
    say("# \(stage.radio.source.description.explanation)")
    if isInteractive {
      var interactive = Interactive(stage)
      await interactive.run()
      exit(0)
    }
    exit(await run(stage, Check.all.filter { $0.name.contains(only) }) ? 0 : 1)
  }

  private static func run(_ stage: Stage, _ checks: [Check]) async -> Bool {
    var failed = 0
    for check in checks {
      let start = ContinuousClock.now
      let problem = await check.run(on: stage)
      let seconds = Double((ContinuousClock.now - start) / .milliseconds(100)).rounded() / 10
      say(problem.map { "FAILED \(check.name): \($0)" } ?? "ok \(check.name) (\(seconds) s)")
      if problem != nil {
        failed += 1
        // What this check left open shall not fail the next one.
        await stage.disconnect()
      }
    }
    await stage.finish()
    say("\(checks.count - failed) passed, \(failed) failed")
    return failed == 0
  }
}
