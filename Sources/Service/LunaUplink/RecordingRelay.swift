import CLinux
import Diagnosis
import EventLoop
import Glibc
public import UplinkProtocol

/// A relay on loopback that records what goes through it, for a client that takes it for an HTTP proxy. It
/// leads to one host and port; the name is looked up when the first client comes.
public final class RecordingRelay: Sendable {
  /// The port on 127.0.0.1 where it listens.
  public let port: UInt16
  private let target: RelayTarget
  private let traffic: RecordedTraffic
  private let listener: Int32
  /// An eventfd that ends the work.
  private let end: Int32
  private let blocking = Blocking(name: "luna.relay")

  /// A relay that listens, and does nothing yet.
  ///
  /// - Throws: ``RelayError`` of kind `system` when there is no socket.
  public init(to target: RelayTarget) throws(RelayError) {
    guard let traffic = RecordedTraffic(serverPort: target.port) else {
      throw RelayError(
        .system, "there is no port 0", remedy: "name the server with a port from 1 to 65535")
    }
    guard let socket = RelaySocket.listen() else {
      throw RelayError(
        .system, "cannot listen on 127.0.0.1: \(String(cString: strerror(errno)))",
        remedy: "see that the network device lo is up, and what limits this program")
    }
    let end = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard end >= 0 else {
      close(socket.descriptor)
      throw RelayError(
        .system, "there are no descriptors left", remedy: "allow more open files (ulimit -n)")
    }
    self.target = target
    self.traffic = traffic
    (listener, port) = socket
    self.end = end
  }

  deinit {
    close(listener)
    close(end)
  }

  /// Relays while some work is done, once.
  ///
  /// - Returns: what the work returns, and what went through meanwhile.
  /// - Throws: what the work throws; ``RelayError`` of kind `silent` when nothing went through, and `full`
  ///   when it was too much.
  public func record<Value: Sendable>(
    _ work: () async throws -> Value
  ) async throws -> (value: Value, traffic: RecordedTraffic) {
    async let relayed = blocking.run { self.relay() }
    let value: Value
    do {
      value = try await work()
    } catch {
      eventfd_write(end, 1)
      let record = await relayed
      // That the connection was cut is what the client saw of it.
      throw record.isFull ? RecordingRelay.full : error
    }
    eventfd_write(end, 1)
    let record = await relayed
    guard !record.isFull else { throw RecordingRelay.full }
    guard record.traffic.count > 0 else {
      throw RelayError(
        .silent, "nothing went through the relay on 127.0.0.1",
        remedy: "take the host out of the variable no_proxy of the environment")
    }
    return (value, record.traffic)
  }

  private static var full: RelayError {
    RelayError(
      .full, "this is more than a recording may hold: ten minutes, 16 connections, about 8 MB",
      remedy: "record less")
  }

  private func relay() -> RelayRecord {
    var record = RelayRecord(traffic)
    var links: [RelayLink] = []
    var turns = AcceptTurns()
    while true {
      let rest = turns.rest(at: .now)
      // Without room for another connection, those that there are go on.
      var polls = [end, rest < 0 ? listener : -1].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      for link in links { polls += link.polls }
      guard poll(&polls, nfds_t(polls.count), rest) >= 0 || errno == EINTR else { return record }
      guard polls[0].revents == 0 else { return record }
      let ready = polls.dropFirst(2).map(\.revents)
      var open: [RelayLink] = []
      for (index, link) in links.enumerated()
      where link.serve(Array(ready[2 * index..<2 * index + 2]), target, &record) {
        open.append(link)
      }
      links = open
      guard polls[1].revents != 0 else { continue }
      guard let client = RelaySocket.accept(listener) else {
        guard turns.goOn(after: errno, at: .now) else { return record }
        continue
      }
      let link = RelayLink(client: client.descriptor, port: client.port)
      // More than a recording has, with some that ask in vain.
      if links.count < 2 * RecordingLimits.pairs { links.append(link) }
    }
  }
}
