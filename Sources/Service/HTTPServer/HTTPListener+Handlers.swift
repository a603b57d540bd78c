import CMicroHTTPD

/// What the library calls, on its threads.
extension HTTPListener {
  private static func listener(_ context: UnsafeMutableRawPointer) -> HTTPListener {
    Unmanaged.fromOpaque(context).takeUnretainedValue()
  }

  private static func exchange(_ request: UnsafeMutableRawPointer) -> HTTPExchange {
    Unmanaged.fromOpaque(request).takeUnretainedValue()
  }

  static let handlers = cmhd_handlers(
    begin: { context, connection, head in
      guard let exchange = listener(context).begin(connection, head.pointee) else { return nil }
      return UnsafeMutableRawPointer(Unmanaged.passRetained(exchange).toOpaque())
    },
    receive: { context, request, bytes, count in
      listener(context).receive(
        exchange(request), UnsafeRawBufferPointer(start: bytes, count: count))
    },
    complete: { context, request, connection in
      listener(context).complete(exchange(request), connection)
    },
    end: { context, request, connection in
      listener(context).end(exchange(request), connection)
      Unmanaged<HTTPExchange>.fromOpaque(request).release()
    },
    connected: { context, connection, socket in
      let listener = listener(context)
      listener.watch.add(
        UInt(bitPattern: connection), socket: socket,
        client: ClientAddress(HTTPListener.peer(connection)),
        patience: listener.limits.headPatience)
      listener.sweeps.wake()
    },
    disconnected: { context, connection in
      listener(context).watch.remove(UInt(bitPattern: connection))
    },
    upgraded: { context, request, socket, handle, bytes, count in
      listener(context).upgraded(
        exchange(request), socket, handle, UnsafeRawBufferPointer(start: bytes, count: count))
    })

  /// The address of whoever connected.
  static func peer(_ connection: OpaquePointer) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = cmhd_address(connection, &bytes)
    return Array(bytes.prefix(count))
  }
}
