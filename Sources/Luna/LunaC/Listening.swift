import CLuna
import Dispatch
import Synchronization

/// What a handle of luna.h stands for: something that listens until it is stopped.
final class Listening: Sendable {
  /// Listens to the end; throws what has ended it.
  typealias Work = @Sendable () async throws -> Void

  private let caller: Caller
  private let task: Task<Void, Never>
  private let halt: @Sendable () async -> Void
  private let isStopped: IsStopped

  private final class IsStopped: Sendable {
    let value = Atomic(false)
  }

  /// - Parameters:
  ///   - halt: ends the work.
  init(_ caller: Caller, halt: @escaping @Sendable () async -> Void, _ work: @escaping Work) {
    self.caller = caller
    self.halt = halt
    let isStopped = IsStopped()
    self.isStopped = isStopped
    task = Task {
      var failure: Failure?
      do {
        try await work()
      } catch {
        failure = Failure(error)
      }
      if !isStopped.value.load(ordering: .acquiring) { await caller.tellEnd(failure) }
    }
  }

  /// Ends it, and waits until no callback is running.
  ///
  /// - Throws: ``Failure`` in one of its callbacks, for which that would be waiting for itself.
  func stop() throws {
    guard !caller.isCalling else {
      throw Failure(
        status: LUNA_BUSY, text: "a callback cannot stop what called it",
        remedy: "stop it from another thread, after the callback has returned")
    }
    isStopped.value.store(true, ordering: .releasing)
    wait {
      await self.halt()
      await self.task.value
    }
  }
}

extension Listening {
  /// Begins what a start function asks for, and gives its handle.
  static func start(
    _ handle: UnsafeMutablePointer<OpaquePointer?>?,
    _ begin: @escaping @Sendable () async throws -> Listening
  ) throws {
    guard let handle else { throw Failure.invalid("there is no place for the handle: it is NULL") }
    let listening = try wait { () -> Result<Listening, any Error> in
      do {
        return .success(try await begin())
      } catch {
        return .failure(error)
      }
    }.get()
    handle.pointee = OpaquePointer(Unmanaged.passRetained(listening).toOpaque())
  }

  /// Ends what a handle stands for, and frees it.
  static func stop(_ handle: OpaquePointer?) -> luna_status {
    answer {
      guard let handle else { return }
      let listening = Unmanaged<Listening>.fromOpaque(UnsafeRawPointer(handle))
      try listening.takeUnretainedValue().stop()
      listening.release()
    }
  }
}

/// Waits, in a thread of the program's, for what Luna's threads do.
private func wait<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
  let done = DispatchSemaphore(value: 0)
  let value = Mutex<Value?>(nil)
  Task {
    let result = await work()
    value.withLock { $0 = result }
    done.signal()
  }
  done.wait()
  guard let value = value.withLock({ $0 }) else {
    preconditionFailure("it is set before the signal")
  }
  return value
}
