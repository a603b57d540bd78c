package import Bluetooth
import LunaCore
import LunaFleet
import Synchronization

/// The fleet in a storage: whatever is asked of it is one transaction.
package struct FleetStore: Sendable {
  let storage: any Storage
  private let onChange: @Sendable () -> Void

  /// The fleet in a storage that was brought to this version.
  ///
  /// - Parameter onChange: called after each change.
  package init(storage: any Storage, onChange: @escaping @Sendable () -> Void = {}) {
    self.storage = storage
    self.onChange = onChange
  }

  /// Changes something: all of it or, when it is refused, nothing.
  ///
  /// - Parameter actor: who, for the history.
  func change<Output: Sendable>(
    by actor: String, at time: Timestamp,
    _ body: @escaping @Sendable (inout FleetWork) throws(FleetFailure) -> Output
  ) async throws(FleetFailure) -> Output {
    let output = try await work(by: actor, at: time, body) { body throws(StorageError) in
      try await storage.transaction(body)
    }
    onChange()
    return output
  }

  /// Reads one state.
  func read<Output: Sendable>(
    at time: Timestamp,
    _ body: @escaping @Sendable (inout FleetWork) throws(FleetFailure) -> Output
  ) async throws(FleetFailure) -> Output {
    try await work(by: "", at: time, body) { body throws(StorageError) in
      try await storage.read(body)
    }
  }

  private typealias Body<Output> =
    @Sendable (any StorageTransaction) throws(StorageError) -> Output

  /// - Parameter run: has the storage run something.
  private func work<Output: Sendable>(
    by actor: String, at time: Timestamp,
    _ body: @escaping @Sendable (inout FleetWork) throws(FleetFailure) -> Output,
    _ run: (@escaping Body<Output>) async throws(StorageError) -> Output
  ) async throws(FleetFailure) -> Output {
    // What is refused is taken back as what fails is; the reason comes beside it.
    let refusal = Mutex<FleetRefusal?>(nil)
    do throws(StorageError) {
      return try await run { transaction throws(StorageError) in
        do throws(FleetFailure) {
          var work = FleetWork(transaction, actor: actor, time: time)
          return try body(&work)
        } catch {
          switch error {
          case .storage(let error): throw error
          case .refused(let reason):
            refusal.withLock { $0 = reason }
            throw StorageError(.failed, "refused")
          }
        }
      }
    } catch {
      if let reason = refusal.withLock({ $0 }) { throw .refused(reason) }
      throw .storage(error)
    }
  }

  /// Makes the record of a gateway that has none.
  ///
  /// - Parameter actor: who lets it in, for the history.
  package func adopt(
    _ key: String, by actor: String = "", at time: Timestamp
  ) async throws(StorageError) {
    guard try await standing(of: key) == .unknown else { return }
    do throws(FleetFailure) {
      _ = try await change(by: actor, at: time) { work throws(FleetFailure) in try work.adopt(key) }
    } catch {
      // A refusal is none of the gateway's business: its record can be made by hand.
      if case .storage(let error) = error { throw error }
    }
  }

  /// Takes what a gateway hears; one without a record gets one.
  func hear(_ reports: [DeviceReport], by key: String, at time: Timestamp)
    async throws(StorageError)
  {
    try await adopt(key, at: time)
    do throws(FleetFailure) {
      try await change(by: "", at: time) { work throws(FleetFailure) in
        try work.hear(reports, by: key)
      }
    } catch {
      if case .storage(let error) = error { throw error }
    }
  }

  /// Drops what is kept no longer.
  func purge(at time: Timestamp) async throws(StorageError) {
    do throws(FleetFailure) {
      var isMore = true
      while isMore {
        isMore = try await change(by: "", at: time) { work throws(FleetFailure) in
          try work.purgeRemoved()
        }
      }
      try await change(by: "", at: time) { work throws(FleetFailure) in try work.purge() }
    } catch {
      if case .storage(let error) = error { throw error }
    }
  }

  /// Whether the gateway of a token is removed, and whether it has a record at all.
  func standing(of key: String) async throws(StorageError) -> GatewayStanding {
    try await storage.lookUp { work throws(StorageError) in
      guard let row = try work.row("SELECT removed FROM luna.fleet WHERE key = $1", [.text(key)])
      else { return .unknown }
      return row.isNull(0) ? .present : .removed
    }
  }
}
