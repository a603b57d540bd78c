import Glibc
import Synchronization
import UplinkProtocol

// The data of replays. Nothing is sent to whom has no side channel, but its own address.

extension WeheService {
  private static let questions = (
    http: Array("GET /WHATSMYIPMAN".utf8), bare: Array("WHATSMYIPMAN?".utf8)
  )
  /// What IP and UDP add to a datagram, bytes.
  private static let overhead = 28

  /// Serves a connection to one of the recorded ports.
  func serveData(_ peer: WehePeer, port: UInt16) {
    let deadline = ContinuousClock.now + WeheService.patience.data
    guard var bytes = peer.receive(until: ContinuousClock.now + WeheService.patience.first),
      !bytes.isEmpty
    else {
      return
    }
    let isHTTP = bytes.starts(with: WeheService.questions.http)
    if isHTTP || bytes.starts(with: WeheService.questions.bare) {
      let (text, time) = (peer.address.text, time)
      state.withLock { $0.host.ask(text, at: time) }
      let answer = isHTTP ? "HTTP/1.1 200 OK\r\n\r\n\(text)" : text
      _ = peer.send(Array(answer.utf8), until: ContinuousClock.now + WeheService.patience.first)
      return
    }
    guard let (id, exchanges) = claim(peer.address.text, port, bytes) else { return }
    watch(peer, of: id)
    for exchange in exchanges {
      while bytes.count < exchange.requestLength {
        guard let more = peer.receive(until: deadline), !more.isEmpty else { return }
        bytes += more
      }
      bytes.removeFirst(exchange.requestLength)
      guard spend(exchange.requestLength, id) else { return }
      let asked = ContinuousClock.now
      for answer in exchange.answers {
        // Its parts are as far apart as they were: they have the shape that was recorded.
        let due = asked + .seconds(answer.time - exchange.answers[0].time)
        guard due < deadline, wait(until: due) else { return }
        for piece in AnswerPieces(answer.content) {
          guard spend(piece.count, id), peer.send(piece, until: deadline) else { return }
          note(piece.count, id)
        }
      }
    }
    // The client closes. Nothing more is lost of what it was sent.
    peer.endWatch()
    while let more = peer.receive(until: deadline), !more.isEmpty {}
  }

  /// Which connection of which replay one is.
  private func claim(
    _ address: String, _ port: UInt16, _ bytes: [UInt8]
  ) -> (id: Int, exchanges: [ServerExchange])? {
    state.withLock { state in
      guard let (id, replay) = state.host.session(from: address, isProven: true),
        let begun = state.replays[id]?.begun,
        let found = recordings.connection(
          of: replay, port: port, beginning: bytes, besides: begun)
      else { return nil }
      state.replays[id]?.begun.insert(found.number)
      return (id, found.exchanges)
    }
  }

  /// Has it read what a connection loses.
  private func watch(_ peer: WehePeer, of id: Int) {
    guard var last = peer.counters else { return }
    let now = ContinuousClock.now
    let began = state.withLock { state in
      let began = state.replays[id]?.began ?? now
      state.replays[id]?.began = began
      return began
    }
    peer.watch = { [self] counters in
      let (before, time) = (last, began.duration(to: .now) / .seconds(1))
      last = counters
      state.withLock { $0.replays[id]?.loss.look(counters, after: before, at: time) }
    }
  }

  private func spend(_ bytes: Int, _ id: Int) -> Bool {
    let time = time
    return state.withLock { $0.host.spend(bytes, id, at: time) }
  }

  private func note(_ bytes: Int, _ id: Int) {
    let now = ContinuousClock.now
    state.withLock { state in
      let first = state.replays[id]?.first ?? now
      state.replays[id]?.first = first
      state.replays[id]?.reads.append(bytes, at: first.duration(to: now) / .seconds(1))
    }
  }

  /// Serves a recorded port of UDP: whoever has a side channel, and sends a datagram, is sent what was recorded, once.
  func serve(_ socket: WeheDatagrams) {
    while let source = socket.next(end) {
      guard let address = WeheAddress(source) else { continue }
      let begun = state.withLock { state -> (id: Int, flow: ServerFlow)? in
        // Anybody can write any address into a datagram.
        guard let (id, replay) = state.host.session(from: address.text, isProven: false),
          let begun = state.replays[id]?.begun,
          let found = recordings.flow(of: replay, port: socket.port, besides: begun)
        else { return nil }
        state.replays[id]?.begun.insert(found.number)
        return (id, found.flow)
      }
      guard let (id, flow) = begun else { continue }
      begin { [self] in send(flow, over: socket, to: source, id) }
    }
  }

  private func send(
    _ flow: ServerFlow, over socket: WeheDatagrams, to target: sockaddr_storage, _ id: Int
  ) {
    // It is in the same place for both families, its high byte first.
    let port = withUnsafeBytes(of: target) { UInt16($0[2]) << 8 | UInt16($0[3]) }
    let began = ContinuousClock.now
    tell(.started(port: port), id)
    for datagram in flow.datagrams {
      let due = Duration.seconds(datagram.time)
      guard due <= WeheService.patience.data, wait(until: began + due),
        spend(datagram.payload.count + WeheService.overhead, id)
      else { break }
      socket.send(datagram.payload, to: target)
      note(datagram.payload.count, id)
    }
    tell(.done(port: port), id)
  }

  private func tell(_ notice: ReplayNotice, _ id: Int) {
    state.withLock { $0.replays[id]?.notices.append(notice) }
  }

  /// - Returns: false when everything ends.
  private func wait(until deadline: ContinuousClock.Instant) -> Bool {
    let left = (ContinuousClock.now.duration(to: deadline) / .milliseconds(1)).rounded(.up)
    guard left > 0 else { return true }
    var query = pollfd(fd: end.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&query, 1, Int32(min(left, 1e6))) == 0
  }
}
