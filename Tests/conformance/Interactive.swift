import Bluetooth

/// Does what standard input says, for tests that break something meanwhile. Each line is answered by
/// "begin LINE" and later "ok LINE" or "error KIND MILLISECONDS LINE: what happened":
///
///     connect SECONDS | read NAME | wait NAME SECONDS | disconnect | hear SECONDS
struct Interactive {
  let stage: Stage
  private var connection: (any GATTConnection)?

  init(_ stage: Stage) { self.stage = stage }

  mutating func run() async {
    while let line = readLine() {
      let words = line.split(separator: " ").map { String($0) }
      say("begin \(line)")
      let start = ContinuousClock.now
      do {
        try await obey(words)
        say("ok \(line)")
      } catch {
        let kind = (error as? GATTError)?.kind.rawValue ?? "wrong"
        let spent = Int64((ContinuousClock.now - start) / .milliseconds(1))
        say("error \(kind) \(spent) \(line): \(error)")
      }
    }
    await stage.finish()
  }

  private mutating func obey(_ words: [String]) async throws {
    let seconds = words.last.flatMap { Int($0) }.map { Duration.seconds($0) } ?? .seconds(10)
    switch words.first {
    case "connect":
      connection = try await stage.client.connect(
        to: stage.peer, GATTLimits(connect: seconds, operation: .seconds(8))
      ) { say("# \($0)") }
    case "read": _ = try await current().read(characteristic(words))
    case "wait":
      let characteristic = try await characteristic(words)
      try await current().subscribe(to: characteristic)
      say("# subscribed")
      _ = try await current().nextValue(of: characteristic, within: seconds)
    case "disconnect": await connection?.disconnect()
    case "hear": try await stage.hears(within: seconds)
    default: throw Failure("there is no such command")
    }
  }

  private func current() throws -> any GATTConnection {
    guard let connection else { throw Failure("not connected") }
    return connection
  }

  private func characteristic(_ words: [String]) async throws -> GATTCharacteristic {
    let name = PeerContract.Name.allCases.first { words.count > 1 && "\($0)" == words[1] }
    guard let name else { throw Failure("there is no such characteristic") }
    return try await current().characteristic(name.uuid, of: PeerContract.service)
  }
}
