import Bluetooth
import Glibc

/// Something that every ``GATTClient`` has to do.
struct Check: Sendable {
  /// The time that no check needs.
  private static let limit = Duration.seconds(12 * patience)

  let name: String
  let body: @Sendable (Stage) async throws -> Void

  init(_ name: String, _ body: @escaping @Sendable (Stage) async throws -> Void) {
    self.name = name
    self.body = body
  }

  /// All of them, in their order: those that leave the connection whole come first.
  static let all = discovery + values + subscriptions + refusals + endings + connecting + last

  /// - Returns: what is wrong.
  func run(on stage: Stage) async -> String? {
    // A call that never returns cannot be ended from here: it is reported, and so ends the suite.
    let watchdog = Task { [name] in
      try await Task.sleep(for: Check.limit)
      say("FAILED \(name): it did not end within \(Check.limit.components.seconds) s")
      exit(2)
    }
    defer { watchdog.cancel() }
    do {
      try await body(stage)
      return nil
    } catch let error as GATTError {
      return "\(error) (\(error.kind.rawValue))"
    } catch {
      return "\(error)"
    }
  }
}
