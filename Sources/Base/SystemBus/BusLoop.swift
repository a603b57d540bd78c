import CDBus
import EventLoop

/// Lets a reactor drive a libdbus connection: its watches, its timeouts and its dispatching. For
/// the reactor's thread only.
final class BusLoop {
  let connection: OpaquePointer
  private let reactor: Reactor
  private var watches: [OpaquePointer: ReactorWatch] = [:]
  private var timers: [OpaquePointer: ReactorTimer] = [:]
  private var dispatching: ReactorTimer?
  /// How many methods of ours were called.
  var calls: UInt64 = 0
  /// Those that wait for an answer of ours.
  var waiting: [BusMethodCall.Token: OpaquePointer] = [:]

  /// Gets every signal.
  var onSignal: (borrowing BusSignal) -> Void = { _ in }
  /// Called once when the bus has closed the connection.
  var onDisconnect: () -> Void = {}

  /// Drives a connection from now on.
  init(_ link: BusLink, on reactor: Reactor) {
    connection = link.connection
    self.reactor = reactor
    dbus_connection_set_exit_on_disconnect(connection, 0)
    let context = Unmanaged.passUnretained(self).toOpaque()
    dbus_connection_add_filter(
      connection, { BusLoop.from($2)?.filter($1) ?? DBUS_HANDLER_RESULT_NOT_YET_HANDLED },
      context, nil)
    dbus_connection_set_watch_functions(
      connection,
      { watch, context in
        watch.map { BusLoop.from(context)?.add($0) }
        return 1
      },
      { watch, context in watch.map { BusLoop.from(context)?.remove($0) } },
      { watch, context in watch.map { BusLoop.from(context)?.toggle($0) } }, context, nil)
    dbus_connection_set_timeout_functions(
      connection,
      { timeout, context in
        timeout.map { BusLoop.from(context)?.arm($0) }
        return 1
      },
      { timeout, context in timeout.map { BusLoop.from(context)?.disarm($0) } },
      { timeout, context in timeout.map { BusLoop.from(context)?.arm($0) } }, context, nil)
    dbus_connection_set_dispatch_status_function(
      connection,
      { _, status, context in
        if status == DBUS_DISPATCH_DATA_REMAINS { BusLoop.from(context)?.dispatchSoon() }
      }, context, nil)
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> BusLoop? {
    context.map { Unmanaged<BusLoop>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Closes the connection. Nothing is called any more.
  func close() {
    onSignal = { _ in }
    onDisconnect = {}
    dispatching?.cancel()
    dispatching = nil
    forgetCalls()
    dbus_connection_set_dispatch_status_function(connection, nil, nil, nil)
    dbus_connection_close(connection)
    dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    dbus_connection_set_timeout_functions(connection, nil, nil, nil, nil, nil)
    for watch in watches.values { watch.cancel() }
    for timer in timers.values { timer.cancel() }
    watches = [:]
    timers = [:]
    // What was received and not looked at yet; libdbus does not free it by itself.
    while dbus_connection_dispatch(connection) == DBUS_DISPATCH_DATA_REMAINS {}
    dbus_connection_unref(connection)
  }

  private func filter(_ message: OpaquePointer?) -> DBusHandlerResult {
    guard let message, dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_SIGNAL else {
      return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
    }
    let signal = BusSignal(message)
    if signal.isSignal("org.freedesktop.DBus.Local", "Disconnected") {
      onDisconnect()
    } else {
      onSignal(signal)
    }
    return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
  }

  private func dispatchSoon() {
    guard dispatching == nil else { return }
    dispatching = reactor.schedule(after: .zero) { [weak self] in
      self?.dispatching = nil
      self?.dispatch()
    }
  }

  private func dispatch() {
    dbus_connection_ref(connection)
    defer { dbus_connection_unref(connection) }
    while dbus_connection_dispatch(connection) == DBUS_DISPATCH_DATA_REMAINS {}
  }

  private func interest(_ watch: OpaquePointer) -> Interest {
    guard dbus_watch_get_enabled(watch) != 0 else { return [] }
    let flags = dbus_watch_get_flags(watch)
    var interest = Interest()
    if flags & DBUS_WATCH_READABLE.rawValue != 0 { interest.insert(.readable) }
    if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { interest.insert(.writable) }
    return interest
  }

  private func add(_ watch: OpaquePointer) {
    watches[watch] = reactor.watch(
      dbus_watch_get_unix_fd(watch), for: interest(watch)
    ) { [weak self] ready in self?.handle(watch, ready) }
  }

  private func remove(_ watch: OpaquePointer) {
    watches.removeValue(forKey: watch)?.cancel()
  }

  private func toggle(_ watch: OpaquePointer) {
    watches[watch]?.interest = interest(watch)
  }

  private func handle(_ watch: OpaquePointer, _ ready: Interest) {
    guard watches[watch] != nil else { return }
    var flags: UInt32 = 0
    if ready.contains(.readable) { flags |= DBUS_WATCH_READABLE.rawValue }
    if ready.contains(.writable) { flags |= DBUS_WATCH_WRITABLE.rawValue }
    if ready.contains(.failed) { flags |= DBUS_WATCH_ERROR.rawValue }
    if ready.contains(.hungUp) { flags |= DBUS_WATCH_HANGUP.rawValue }
    dbus_connection_ref(connection)
    defer { dbus_connection_unref(connection) }
    dbus_watch_handle(watch, flags)
    dispatch()
  }

  private func arm(_ timeout: OpaquePointer) {
    disarm(timeout)
    guard dbus_timeout_get_enabled(timeout) != 0 else { return }
    let interval = Duration.milliseconds(Int(dbus_timeout_get_interval(timeout)))
    timers[timeout] = reactor.schedule(after: interval) { [weak self] in
      guard let self else { return }
      // It repeats until libdbus takes it back.
      arm(timeout)
      dbus_timeout_handle(timeout)
      dispatch()
    }
  }

  private func disarm(_ timeout: OpaquePointer) {
    timers.removeValue(forKey: timeout)?.cancel()
  }
}
