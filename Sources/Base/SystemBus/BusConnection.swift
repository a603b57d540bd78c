import CDBus
import CLinux
public import EventLoop

/// A connection to the system bus of its own, served by a reactor.
public actor BusConnection: ReactorActor {
  /// Gets every signal that a match rule asks for, on the reactor's thread.
  public typealias SignalHandler = @Sendable (borrowing BusSignal) -> Void

  private final class Call {
    let pending: OpaquePointer
    let operation: String
    var continuation: CheckedContinuation<Result<[BusValue], BusError>, Never>?

    init(_ pending: OpaquePointer, _ operation: String) {
      self.pending = pending
      self.operation = operation
    }

    /// Answers once.
    func finish(_ result: Result<[BusValue], BusError>) {
      continuation?.resume(returning: result)
      continuation = nil
    }
  }

  /// Where it runs.
  public nonisolated let reactor: Reactor

  private let onSignal: SignalHandler
  private let onClose: @Sendable () -> Void
  // By the actor alone, and by who is the last to have it.
  private nonisolated(unsafe) var loop: BusLoop?
  private var calls: [OpaquePointer: Call] = [:]
  /// How often it was closed: what is being opened then is not wanted any more.
  private var closings = 0
  /// Who waits for the connection, and how often somebody has.
  private var linking: CheckedContinuation<Result<BusLink, BusError>, Never>?
  /// Ends waiting for that.
  private var patience: ReactorTimer?
  private var attempt = 0

  /// The address of the system bus: DBUS_SYSTEM_BUS_ADDRESS, or where it is by convention.
  public static var systemAddress: String {
    luna_environment("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
      ?? LUNA_DBUS_SYSTEM_BUS
  }

  /// A connection that is not open yet.
  ///
  /// - Parameters:
  ///   - reactor: What serves it.
  ///   - onSignal: Gets the signals.
  ///   - onClose: Called on the reactor's thread when the bus has closed the connection.
  public init(
    reactor: Reactor = .shared, onSignal: @escaping SignalHandler = { _ in },
    onClose: @escaping @Sendable () -> Void = {}
  ) {
    self.reactor = reactor
    self.onSignal = onSignal
    self.onClose = onClose
  }

  // Where nobody has closed it, a descriptor that nobody reads would keep the reactor busy for ever. (With an isolated
  // deinit the optimiser of Swift 6.3 cannot read this module: "circular reference".)
  deinit {
    guard let loop else { return }
    nonisolated(unsafe) let last = loop
    let closer = BusCloser(reactor)
    Task { await closer.close(last) }
  }

  /// Connects and introduces itself to the bus.
  ///
  /// - Parameter limit: How long the bus may take to accept the connection.
  /// - Throws: ``BusError`` when there is no bus, or it does not let us in.
  public func open(
    address: String = BusConnection.systemAddress, within limit: Duration = .seconds(10)
  ) async throws(BusError) {
    let closings = closings
    let link = try await link(to: address, within: limit, closings).get()
    guard closings == self.closings else {
      link.close()
      throw BusError(name: BusError.disconnected, message: "", operation: "connect")
    }
    let loop = BusLoop(link, on: reactor)
    self.loop = loop
    loop.onSignal = onSignal
    loop.onDisconnect = { [weak self] in self?.assumeIsolated { $0.disconnected() } }
    do throws(BusError) {
      let reply = try await call(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello")
      // It may have been closed since the answer came.
      if self.loop === loop, let name = reply.first?.text {
        dbus_bus_set_unique_name(loop.connection, name)
      }
    } catch {
      close()
      throw error
    }
  }

  /// Connects: whoever else the reactor serves does not wait for a bus that takes nobody, and who asked only so long.
  private func link(
    to address: String, within limit: Duration, _ closings: Int
  ) async -> Result<BusLink, BusError> {
    // All within: between lines before, it could be closed, somebody else open it, or the time be over.
    return await withCheckedContinuation { continuation in
      guard closings == self.closings else {
        return continuation.resume(
          returning: .failure(BusConnection.notConnected(BusError.disconnected)))
      }
      linked(.failure(BusConnection.notConnected(BusError.disconnected)), attempt)
      linking = continuation
      attempt += 1
      let number = attempt
      patience = schedule(after: limit) {
        $0.linked(.failure(BusConnection.notConnected(BusError.noReply)), number)
      }
      Task {
        do throws(BusError) {
          let link = try await Blocking.run { () throws(BusError) in try BusLink(to: address) }
          linked(.success(link), number)
        } catch {
          linked(.failure(error), number)
        }
      }
    }
  }

  /// Whoever is first says what came of it; a connection that comes later is closed.
  private func linked(_ result: Result<BusLink, BusError>, _ number: Int) {
    guard number == attempt, let linking else {
      if case .success(let link) = result { link.close() }
      return
    }
    self.linking = nil
    patience?.cancel()
    linking.resume(returning: result)
  }

  private static func notConnected(_ name: String) -> BusError {
    BusError(name: name, message: "", operation: "connect")
  }

  /// Calls a method and waits for its answer.
  ///
  /// - Returns: The arguments of the answer.
  /// - Throws: ``BusError`` with the name that the other side gave, or that the bus or libdbus gave
  ///   in its stead.
  @discardableResult
  public func call(
    _ destination: String, _ path: String, _ interface: String, _ method: String,
    _ arguments: [BusValue] = [], within limit: Duration = .seconds(10)
  ) async throws(BusError) -> [BusValue] {
    // Sent within: between lines before, the connection could be closed, and the call freed with it.
    let result: Result<[BusValue], BusError> = await withCheckedContinuation { continuation in
      do throws(BusError) {
        let message = try message(destination, path, interface, method, arguments)
        defer { dbus_message_unref(message) }
        send(message, method, within: limit, continuation)
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    return try result.get()
  }

  private func message(
    _ destination: String, _ path: String, _ interface: String, _ method: String,
    _ arguments: [BusValue]
  ) throws(BusError) -> OpaquePointer {
    guard loop != nil else {
      throw BusError(name: BusError.disconnected, message: "", operation: method)
    }
    // libdbus ends the process over names that are not valid.
    guard dbus_validate_bus_name(destination, nil) != 0, dbus_validate_path(path, nil) != 0,
      dbus_validate_interface(interface, nil) != 0, dbus_validate_member(method, nil) != 0,
      let message = dbus_message_new_method_call(destination, path, interface, method)
    else {
      throw BusError(
        name: "org.freedesktop.DBus.Error.InvalidArgs", message: "\(destination) \(path)",
        operation: method)
    }
    guard BusWriter.append(arguments, to: message) else {
      dbus_message_unref(message)
      throw BusError(
        name: "org.freedesktop.DBus.Error.InvalidArgs", message: "an argument does not fit",
        operation: method)
    }
    return message
  }

  private func send(
    _ message: OpaquePointer, _ method: String, within limit: Duration,
    _ continuation: CheckedContinuation<Result<[BusValue], BusError>, Never>
  ) {
    var pending: OpaquePointer?
    let milliseconds = Int32(
      clamping: limit.components.seconds * 1000
        + limit.components.attoseconds / 1_000_000_000_000_000)
    guard let loop,
      dbus_connection_send_with_reply(loop.connection, message, &pending, milliseconds) != 0,
      let pending
    else {
      let error = BusError(name: BusError.disconnected, message: "", operation: method)
      return continuation.resume(returning: .failure(error))
    }
    let call = Call(pending, method)
    calls[pending] = call
    call.continuation = continuation
    let context = Unmanaged.passUnretained(self).toOpaque()
    dbus_pending_call_set_notify(
      pending,
      { pending, context in
        guard let pending, let context else { return }
        let connection = Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue()
        let address = UInt(bitPattern: pending)
        connection.assumeIsolated { connection in
          if let pending = OpaquePointer(bitPattern: address) { connection.answered(pending) }
        }
      }, context, nil)
    // It may have been answered while nobody listened.
    if dbus_pending_call_get_completed(pending) != 0 { answered(pending) }
  }

  /// Answers calls of methods of the object at `path`, until ``withdraw(_:)`` or the end of the
  /// connection.
  ///
  /// - Parameter handler: called on the reactor's thread; nil for a method that there is not.
  /// - Throws: ``BusError`` when the path is not valid, taken, or the connection is closed.
  public func export(
    _ path: String, _ handler: @escaping @Sendable (BusMethodCall) -> BusMethodReply?
  ) throws(BusError) {
    guard let loop, dbus_validate_path(path, nil) != 0, BusObject(handler).register(path, loop)
    else {
      throw BusError(
        name: loop == nil ? BusError.disconnected : "org.freedesktop.DBus.Error.ObjectPathInUse",
        message: path, operation: "export")
    }
  }

  /// Takes an object back.
  public func withdraw(_ path: String) {
    guard let loop, dbus_validate_path(path, nil) != 0 else { return }
    dbus_connection_unregister_object_path(loop.connection, path)
  }

  /// Answers a call of a method of ours for which the handler said ``BusMethodReply/later``; once.
  public func reply(_ reply: BusMethodReply, to token: BusMethodCall.Token) {
    loop?.reply(reply, to: token)
  }

  /// Sends a signal to whoever listens.
  ///
  /// - Throws: ``BusError`` when a name or an argument is not valid, or the connection is closed.
  public func emit(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue]
  ) throws(BusError) {
    guard let loop, loop.emit(path, interface, member, arguments) else {
      throw BusError(
        name: loop == nil
          ? BusError.disconnected : "org.freedesktop.DBus.Error.InvalidArgs",
        message: path, operation: "emit")
    }
  }

  private func answered(_ pending: OpaquePointer) {
    guard let call = calls.removeValue(forKey: pending) else { return }
    defer { dbus_pending_call_unref(pending) }
    guard let reply = dbus_pending_call_steal_reply(pending) else {
      return call.finish(.failure(error(BusError.noReply, call)))
    }
    defer { dbus_message_unref(reply) }
    guard dbus_message_get_type(reply) == DBUS_MESSAGE_TYPE_ERROR else {
      return call.finish(.success(BusReader.arguments(of: reply)))
    }
    let name = dbus_message_get_error_name(reply).map { String(cString: $0) } ?? BusError.noReply
    let text = BusReader.arguments(of: reply).first?.text ?? ""
    call.finish(.failure(error(name, call, text)))
  }

  private func error(_ name: String, _ call: Call, _ message: String = "") -> BusError {
    BusError(name: name, message: message, operation: call.operation)
  }

  private func disconnected() {
    close()
    onClose()
  }

  /// Closes the connection; calls that wait fail, and so does ``open(address:within:)``.
  public func close() {
    closings += 1
    linked(.failure(BusConnection.notConnected(BusError.disconnected)), attempt)
    let calls = calls
    self.calls = [:]
    for call in calls.values {
      dbus_pending_call_cancel(call.pending)
      dbus_pending_call_unref(call.pending)
      call.finish(.failure(error(BusError.disconnected, call)))
    }
    // Not from within its own callbacks.
    guard let loop else { return }
    self.loop = nil
    loop.onSignal = { _ in }
    loop.onDisconnect = {}
    _ = reactor.schedule(after: .zero) { loop.close() }
  }
}
