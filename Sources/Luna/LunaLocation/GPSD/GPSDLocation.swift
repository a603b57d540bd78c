import Bluetooth
import Dispatch
public import LunaCore
import Synchronization

/// Asks gpsd, over its JSON socket, and again when it was restarted.
public final class GPSDLocation: LocationSource {
  /// How long to wait before the next attempt to connect, the longest at the end.
  static let pauses: [Duration] = [.seconds(1), .seconds(2), .seconds(5), .seconds(10)]
  /// A receiver reports at least every few seconds; after this the fix is stale anyway.
  static let patience: Duration = LocationRules.maximumAge
  /// gpsd's own limit is 10,240 bytes.
  private static let lineLimit = 65_536

  private struct State {
    var isStopped = false
    var socket: TextSocket?
    var worker: Task<Void, Never>?
  }

  /// What gpsd tells.
  public let updates: AsyncStream<LocationUpdate>
  private let continuation: AsyncStream<LocationUpdate>.Continuation
  private let host: String
  private let port: UInt16
  private let clock: WallClock
  private let state = Mutex(State())
  /// Where waiting for the socket harms nobody.
  private let queue = DispatchQueue(label: "luna.gpsd")

  /// A client that does not connect yet.
  public init(host: String, port: UInt16, clock: WallClock = .system) {
    self.host = host
    self.port = port
    self.clock = clock
    (updates, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
  }

  /// Host and port.
  public var description: String { "gpsd at \(host):\(port)" }

  /// Begins to connect.
  public func start() async {
    state.withLock { state in
      guard !state.isStopped, state.worker == nil else { return }
      state.worker = Task { [self] in await run() }
    }
  }

  /// Disconnects.
  public func stop() async {
    let worker = state.withLock { state in
      state.isStopped = true
      state.socket?.interrupt()
      return state.worker
    }
    worker?.cancel()
    await worker?.value
    continuation.finish()
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  private func run() async {
    var attempt = 0
    while !isStopped {
      let (reason, hadFix) = await session()
      if isStopped { return }
      continuation.yield(.unavailable(reason))
      // gpsd was there and has gone: it is probably being restarted.
      attempt = hadFix ? 0 : attempt + 1
      let pause = GPSDLocation.pauses[min(attempt, GPSDLocation.pauses.count - 1)]
      guard (try? await clock.sleep(pause)) != nil else { return }
    }
  }

  /// One connection from its beginning to its end.
  private func session() async -> (reason: String, hadFix: Bool) {
    await withCheckedContinuation { result in
      queue.async { [self] in result.resume(returning: talk()) }
    }
  }

  private func talk() -> (reason: String, hadFix: Bool) {
    let socket: TextSocket
    do throws(TextSocketError) {
      socket = try TextSocket(host: host, port: port)
    } catch {
      return ("cannot connect to \(description): \(error.reason)", false)
    }
    let goesOn = state.withLock { state in
      state.socket = socket
      return !state.isStopped
    }
    defer { state.withLock { $0.socket = nil } }
    guard goesOn else { return ("stopped", false) }
    var session = GPSDSession()
    var lines = LineSplitter(limit: GPSDLocation.lineLimit)
    var hadFix = false
    while true {
      let bytes: [UInt8]
      do throws(TextSocketError) {
        bytes = try socket.read(within: GPSDLocation.patience)
      } catch {
        return ("\(description): \(error.reason)", hadFix)
      }
      for line in lines.split(bytes) {
        switch session.receive(line, at: clock.now()) {
        case nil: break
        case .tell(let update):
          if case .fix = update { hadFix = true }
          continuation.yield(update)
        case .close(let reason): return ("\(description): \(reason)", hadFix)
        case .send(let text):
          do throws(TextSocketError) {
            try socket.write(text)
          } catch {
            return ("\(description): \(error.reason)", hadFix)
          }
        }
      }
    }
  }
}
