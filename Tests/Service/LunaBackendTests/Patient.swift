import Testing

@testable import LunaBackend

/// Tests in which a server behind the storage is waited for as long as it takes: in a request, or where nothing is
/// said, it is left out after some seconds.
struct Patient: TestTrait, SuiteTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    // Of the suite as a whole there is nothing to run.
    guard testCase != nil else { return try await function() }
    let failure = await StoragePatience.within(.seconds(3600)) { () async -> (any Error)? in
      do {
        try await function()
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }
}

extension Trait where Self == Patient {
  /// With all the time that a storage needs.
  static var patient: Self { Self() }
}
