/// A job with a result. Only the writer's queue touches it once it waits there.
final class SQLiteTypedJob<Output: Sendable>: SQLiteJob, @unchecked Sendable {
  typealias Body = @Sendable (SQLiteConnection) throws(StorageError) -> Output

  private let body: Body
  private let continuation: CheckedContinuation<Result<Output, StorageError>, Never>
  private var output: Output?

  init(
    _ continuation: CheckedContinuation<Result<Output, StorageError>, Never>,
    _ body: @escaping Body
  ) {
    self.body = body
    self.continuation = continuation
  }

  func run(_ connection: SQLiteConnection) throws(StorageError) { output = try body(connection) }

  func finish(_ failure: StorageError?) {
    if let failure {
      continuation.resume(returning: .failure(failure))
    } else if let output {
      continuation.resume(returning: .success(output))
    }
  }
}
