import CMicroHTTPD
import LunaJSON
import Synchronization

/// The way of a request, from its head to its end.
extension HTTPListener {
  /// Nil where nobody is to answer.
  func begin(_ connection: OpaquePointer, _ parts: cmhd_head) -> HTTPExchange? {
    var headers: [HTTPHeader] = []
    withUnsafeMutablePointer(to: &headers) { list in
      cmhd_headers(connection, list) { list, name, nameCount, value, valueCount in
        list.assumingMemoryBound(to: [HTTPHeader].self).pointee.append(
          HTTPHeader(
            UnsafeRawBufferPointer(start: name, count: nameCount),
            UnsafeRawBufferPointer(start: value, count: valueCount)))
      }
    }
    // Of a refused one only the length of the body is of interest.
    var head = HTTPHead(
      method: parts.is_refused ? "POST" : String(cString: parts.method),
      target: String(cString: parts.target),
      version: parts.is_refused ? "HTTP/1.1" : String(cString: parts.version), headers: headers)
    head.size = parts.size
    head.isPlain = parts.is_plain
    head.connection = watch.number(of: UInt(bitPattern: connection)) ?? 0
    head = head.inOriginForm
    let choice: BodyChoice = parts.is_refused ? .kept : limits.body(head)
    if case .unheard = choice { return nil }
    let receiver = choice.receiver
    let exchange = HTTPExchange(
      id: RequestName.make(), head: head,
      client: ClientAddress(
        limits.trustedProxies.client(behind: HTTPListener.peer(connection), head)),
      limits: limits, socket: watch.socket(of: UInt(bitPattern: connection)) ?? -1,
      receiver: receiver)
    activity.begin()
    watch.expect(
      UInt(bitPattern: connection), within: receiver?.patience ?? limits.bodyPatience)
    let problem =
      RequestCheck.problem(
        with: head, limits: limits, endpoint: exchange.endpoint?.limits, bodyBytes: receiver?.limit)
      ?? (parts.is_refused
        ? RequestCheck.malformed("the head is not understood") : shortage(receiver))
    if let problem {
      // Before the body was read: the library closes the connection after this answer.
      refuse(exchange, problem, connection)
    }
    return exchange
  }

  private func shortage(_ receiver: BodyReceiver?) -> ProblemDocument? {
    let isFull =
      requests >= limits.requests || bodies.load(ordering: .relaxed) >= limits.totalBodyBytes
    let isExpected = receiver?.isExpected ?? false
    guard isStopping.load(ordering: .relaxed) || isFull && !isExpected else { return nil }
    return HTTPListener.busy
  }

  private static let busy = ProblemDocument(
    503, "busy", "The server is busy.", detail: "too many requests at once", retryAfter: 1)

  func receive(_ exchange: HTTPExchange, _ bytes: UnsafeRawBufferPointer) -> Bool {
    let all = bodies.load(ordering: .relaxed)
    let (taken, excess, growth) = exchange.state.withLock { state in
      let room = max(0, exchange.bodyBytes - state.received)
      let taken = min(room, bytes.count)
      state.received += taken
      state.excess += bytes.count - taken
      let before = state.body.count
      if all - before >= limits.totalBodyBytes {
        // Any number of heads may have come before the first of their bodies.
        state.isDropped = exchange.receiver == nil
        state.body = []
      } else if exchange.receiver == nil, !state.isDropped {
        state.body.append(contentsOf: bytes.prefix(taken))
      }
      return (taken, state.excess, state.body.count - before)
    }
    if let receiver = exchange.receiver {
      let piece = UnsafeRawBufferPointer(rebasing: bytes.prefix(taken))
      guard taken == 0 || receiver.take(piece) else { return false }
      receiver.look?(exchange.socket)
      return excess <= limits.bodyBytes
    }
    bodies.wrappingAdd(growth, ordering: .relaxed)
    // A little more is read, so that a client that does not listen while it sends sees the answer.
    return excess <= exchange.bodyBytes
  }

  func complete(_ exchange: HTTPExchange, _ connection: OpaquePointer) -> Bool {
    let (response, excess, isDropped) = exchange.state.withLock {
      ($0.response, $0.excess, $0.isDropped)
    }
    if let response {
      observer(exchange, response)
      return send(response, exchange, connection)
    }
    if excess > 0 {
      refuse(exchange, .bodyTooLarge(exchange.bodyBytes), connection)
      return true
    }
    // There may be more by now than when its head came.
    let isFull = requests >= limits.requests && exchange.receiver?.isExpected != true
    if isDropped || isFull {
      refuse(exchange, HTTPListener.busy, connection)
      return true
    }
    watch.expect(UInt(bitPattern: connection), within: nil)
    working.wrappingAdd(1, ordering: .relaxed)
    activity.begin()
    let (body, received) = exchange.state.withLock { ($0.body, $0.received) }
    let request = HTTPRequest(
      id: exchange.id, head: exchange.head, client: exchange.client, body: body,
      receivedBytes: received)
    // A suspended connection stays until it is resumed.
    nonisolated(unsafe) let suspended = connection
    cmhd_suspend(suspended)
    Task {
      var response = admit(await ask(request, exchange.endpoint), request)
      let mayEnd = response.events == nil && !response.staysOpen
      let isFull = mayEnd && watch.count > limits.keptConnections
      // The library takes LF for CRLF around chunks, where others see no end of a line (RFC 9112, 2.2 and 7.1): what comes
      // behind them may be no request.
      let isInChunks = request.head.first("transfer-encoding") != nil
      let isLast = isFull || isInChunks || isStopping.load(ordering: .relaxed)
      if isLast, response.upgrade == nil { response.closes = true }
      exchange.state.withLock { [response] in $0.response = response }
      // Counted until then: a server must not stop in between.
      cmhd_resume(suspended)
      working.wrappingSubtract(1, ordering: .relaxed)
      activity.end()
    }
    return true
  }

  /// What the handler answers, where the endpoint is not busy with as many as it takes.
  private func ask(
    _ request: HTTPRequest, _ endpoint: (name: String, limits: EndpointLimits)?
  ) async -> HTTPResponse {
    guard let (name, own) = endpoint, let most = own.requests else {
      return await handler(request)
    }
    guard load.begin(name, limit: most) else {
      return HTTPResponse(
        ProblemDocument(
          503, "busy", "The server is busy.", detail: "too many such requests at once",
          retryAfter: 1), request: request.id)
    }
    defer { load.end(name) }
    return await handler(request)
  }

  func end(_ exchange: HTTPExchange, _ connection: OpaquePointer) {
    watch.expect(
      UInt(bitPattern: connection), within: limits.idlePatience + limits.headPatience)
    let (count, response) = exchange.state.withLock { state in
      defer { state.body = [] }
      return (state.body.count, state.response)
    }
    bodies.wrappingSubtract(count, ordering: .relaxed)
    exchange.receiver?.look?(exchange.socket)
    response?.source?.end()
    if response?.upgrade != nil { upgrades.remove(exchange.id) }
    if let stream = response?.events {
      stream.ended()
      streams.remove(stream)
    }
    activity.end()
  }
}
