import CLinux
import EventLoop
import Glibc
package import UplinkProtocol

/// Finds the way to a server (UPLINK.md, 9): datagrams that may go no further than so many hops are answered by who is
/// there. It needs no privilege: the answers come over the queue of errors of a socket (ip(7), IP_RECVERR).
package enum PathProbe {
  /// How far it is looked.
  private static let hops = 30
  /// How many datagrams look for each hop.
  private static let probes = 3
  /// Where they go: this port for the first hop, the next one for the second. Nobody listens there.
  private static let port: UInt16 = 33_434
  /// What is waited between two hops, so that nobody has to answer too much at once, and at the end.
  private static let pause = Duration.milliseconds(20)
  private static let patience = Duration.seconds(1)

  /// Finds the ways to two servers, and looks whether they share their beginning and part.
  ///
  /// - Parameter isForced: whether ways are taken of which too little is known.
  /// - Throws: `sameServer`, `pathUnknown`, `noFork` or `pathsMeetAgain`.
  package static func pair(
    _ first: HostPlace, _ second: HostPlace, isForced: Bool
  ) async throws(LocalizationError) -> PathPair {
    // Nothing has to be found out of one server.
    guard first.address.text != second.address.text else { throw LocalizationError(.sameServer) }
    let one = await Blocking.run { PathProbe.path(to: first.address) }
    let other = await Blocking.run { PathProbe.path(to: second.address) }
    return try PathPair(one, other, isForced: isForced)
  }

  /// Finds the way to a server, on a thread that may wait.
  static func path(to server: ServerAddress) -> NetworkPath {
    guard let descriptor = server.socket(isStream: false) else {
      return NetworkPath([[]], to: server.text)
    }
    defer { close(descriptor) }
    var answers = [Set<String>](repeating: [], count: hops + 1)
    // At which hop the server is.
    var end = hops + 1
    for hop in 1...hops where hop < end {
      let isIPv6: Int32 = server.text.utf8.contains(UInt8(ascii: ":")) ? 1 : 0
      guard luna_limit_hops(descriptor, isIPv6, Int32(hop)) == 0 else { break }
      for _ in 0..<probes { send(over: descriptor, to: server, port + UInt16(hop)) }
      collect(descriptor, server, &answers, &end, for: pause)
    }
    if end > hops { collect(descriptor, server, &answers, &end, for: patience) }
    // Whoever is behind the last one that answers is the server, or says nothing.
    let last = end <= hops ? end : (answers.lastIndex { !$0.isEmpty } ?? 1) + 1
    return NetworkPath(Array(answers[1..<max(last, 1)]), to: server.text)
  }

  private static func send(over descriptor: Int32, to server: ServerAddress, _ port: UInt16) {
    let byte: UInt8 = 0
    // An error that an answer has left is told once, in the place of sending.
    for _ in 0..<probes {
      let sent = server.call(port: port) { name, length in
        withUnsafeBytes(of: byte) {
          sendto(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL), name, length)
        }
      }
      if sent >= 0 { return }
    }
  }

  /// Takes answers as long as they come, and some time.
  private static func collect(
    _ descriptor: Int32, _ server: ServerAddress, _ answers: inout [Set<String>], _ end: inout Int,
    for time: Duration
  ) {
    let deadline = ContinuousClock.now + time
    // Once the time is over, no more are taken than were asked for: they may come for ever.
    var rest = hops * probes
    while rest > 0 || ContinuousClock.now < deadline {
      rest -= 1
      var answer = luna_path_answer()
      let result = luna_read_path_answer(descriptor, &answer)
      if result < 0 {
        let left = (ContinuousClock.now.duration(to: deadline) / .milliseconds(1)).rounded(.up)
        guard left > 0 else { return }
        // Errors are always told.
        var query = pollfd(fd: descriptor, events: 0, revents: 0)
        guard poll(&query, 1, Int32(left)) > 0 else { return }
        continue
      }
      let hop = Int(answer.port) - Int(port)
      guard result == 1, (1...hops).contains(hop) else { continue }
      let address = withUnsafeBytes(of: answer.address) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if answer.reached != 0 || address == server.text {
        end = min(end, hop)
      } else {
        answers[hop].insert(address)
      }
    }
  }
}
