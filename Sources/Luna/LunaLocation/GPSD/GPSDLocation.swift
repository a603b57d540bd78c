import Bluetooth
import Diagnosis
import EventLoop
public import LunaCore

/// Asks gpsd, over its JSON socket, and again when it was restarted.
public final class GPSDLocation: LocationSource {
  /// How long to wait before the next attempt to connect, the longest at the end.
  static let pauses: [Duration] = [.seconds(1), .seconds(2), .seconds(5), .seconds(10)]
  /// A receiver reports at least every few seconds; after this the fix is stale anyway.
  static let patience: Duration = LocationRules.maximumAge
  /// gpsd's own limit is 10,240 bytes.
  private static let lineLimit = 65_536

  /// What gpsd tells.
  public var updates: AsyncStream<LocationUpdate> { worker.updates }
  private let worker = LocationWorker()
  private let host: String
  private let port: UInt16
  private let clock: WallClock

  /// A client that does not connect yet.
  public init(host: String, port: UInt16, clock: WallClock = .system) {
    self.host = host
    self.port = port
    self.clock = clock
  }

  /// Host and port.
  public var description: String { "gpsd at \(host):\(port)" }

  /// Begins to connect.
  public func start() async { worker.start { [self] in await run() } }

  /// Disconnects.
  public func stop() async { await worker.stop() }

  private func run() async {
    var attempt = 0
    while !worker.isStopped {
      let (reason, hadFix) = await Blocking.run { self.talk() }
      if worker.isStopped { return }
      worker.tell(.unavailable(reason))
      // gpsd was there and has gone: it is probably being restarted.
      attempt = hadFix ? 0 : attempt + 1
      let pause = GPSDLocation.pauses[min(attempt, GPSDLocation.pauses.count - 1)]
      guard (try? await clock.sleep(pause)) != nil else { return }
    }
  }

  /// One connection from its beginning to its end.
  private func talk() -> (reason: String, hadFix: Bool) {
    let socket: TextSocket
    do throws(TextSocketError) {
      socket = try TextSocket(host: host, port: port)
    } catch {
      return (
        "cannot connect to \(description): \(error.reason); start it, or use static:LAT,LON", false
      )
    }
    let goesOn = worker.interrupts { socket.interrupt() }
    defer { worker.interrupts(by: nil) }
    guard goesOn else { return ("stopped", false) }
    var session = GPSDSession()
    var lines = LineSplitter(limit: GPSDLocation.lineLimit)
    var hadFix = false
    // One that always has more to say is never waited for.
    while !worker.isStopped {
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
          worker.tell(update)
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
    return ("stopped", hadFix)
  }
}
