import Bluetooth
package import LunaCore

extension BackendClient {
  /// Whether the server is there and runs; asks it without a token.
  package func isReachable() async -> Bool {
    do throws(BackendError) {
      try await reach()
      return true
    } catch {
      return false
    }
  }

  /// Asks whether the server is there and runs, without a token.
  ///
  /// - Parameter limit: how long the answer may take; nil for as long as a request may take at all.
  package func reach(within limit: Duration? = nil) async throws(BackendError) {
    _ = try await date(within: limit)
  }

  /// Asks whether the backend is there, what time it is there, and whether it knows the token. Nothing
  /// is stored there but that this gateway was in touch.
  ///
  /// - Parameters:
  ///   - role: as whom.
  ///   - clock: ours.
  package func examine(
    as role: TokenSource.Role, clock: WallClock
  ) async -> BackendExamination {
    var examination = BackendExamination()
    do throws(BackendError) {
      let date = try await date()
      examination.secondsAhead = date.map { $0 - clock.now().microseconds / 1_000_000 }
    } catch {
      examination.problem = error
      return examination
    }
    do throws(BackendError) {
      switch role {
      case .gateway: _ = try await upload(EventBatch([]))
      // There is no such command: what is told is whether one may ask.
      case .owner:
        _ = try await status(of: "00000000-0000-4000-8000-000000000000", within: nil)
      case .admin: _ = try await call("GET", "/v1/gateways?limit=1", nil)
      }
    } catch {
      switch error.kind {
      // It has looked at the token first, and at the request then.
      case .notFound, .malformed, .busy: break
      case .refused, .local, .library: examination.refusal = error
      default: examination.problem = error
      }
    }
    return examination
  }
}
