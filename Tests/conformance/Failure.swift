import Bluetooth
import Glibc

/// What a check found wrong.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Fails the check unless `condition` holds.
func expect(_ condition: Bool, _ otherwise: @autoclosure () -> String) throws {
  if !condition { throw Failure(otherwise()) }
}

/// Fails the check unless the two are the same.
func expect<Value: Equatable>(_ value: Value, is wanted: Value, _ what: String) throws {
  if value != wanted { throw Failure("\(what) is \(value), not \(wanted)") }
}

/// How much longer than on an idle machine something may take here: limits are for what never
/// comes. Whoever starts this tells where it has to be more (Tests/integration/conformance.py).
let patience = max(10, getenv("LUNA_TEST_PATIENCE").flatMap { Int(String(cString: $0)) } ?? 0)

/// Fails the check unless `body` throws one of `kinds`. On an idle machine it does within `limit`.
@discardableResult
func expectError(
  _ kinds: GATTError.Kind..., within limit: Duration = .seconds(5),
  _ body: () async throws -> Void
) async throws -> GATTError {
  try await expectError(kinds, within: limit, body)
}

/// Fails the check unless `body` throws one of `kinds`. On an idle machine it does within `limit`.
@discardableResult
func expectError(
  _ kinds: [GATTError.Kind], within limit: Duration = .seconds(5),
  _ body: () async throws -> Void
) async throws -> GATTError {
  let start = ContinuousClock.now
  let names = kinds.map(\.rawValue).joined(separator: " or ")
  do {
    try await body()
  } catch let error as GATTError {
    let spent = ContinuousClock.now - start
    try expect(spent <= limit * patience, "the error (\(error)) took \(spent) instead of \(limit)")
    try expect(kinds.contains(error.kind), "\(error) is \(error.kind.rawValue), not \(names)")
    return error
  }
  throw Failure("no error, but \(names) was due")
}
