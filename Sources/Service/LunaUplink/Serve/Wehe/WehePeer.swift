import CLinux
import Glibc
import TLSStream
import UplinkProtocol

/// A connection of a client of Wehe's at a server, on a thread that may wait.
final class WehePeer {
  /// Where the client is.
  let address: WeheAddress
  private let descriptor: Int32
  private let stream: TLSStream?
  private let end: EndSignal
  /// Is told what the kernel knows of the connection, again and again while data goes.
  var watch: ((FlowCounters) -> Void)?
  private var nextLook = ContinuousClock.now
  private var buffer = [UInt8](repeating: 0, count: 16 << 10)

  /// A connection that is closed when nobody uses this any more.
  ///
  /// - Parameters:
  ///   - identity: what is shown over TLS; nil without.
  ///   - end: what ends all waiting.
  init(
    _ descriptor: Int32, _ address: WeheAddress, _ identity: TLSIdentity?, _ end: EndSignal
  ) throws(TLSError) {
    self.descriptor = descriptor
    self.address = address
    self.end = end
    do throws(TLSError) {
      if let identity {
        stream = try TLSStream(over: descriptor, .server(identity))
      } else {
        stream = nil
      }
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit {
    stream?.leave()
    close(descriptor)
  }

  /// What the kernel knows of the connection; nil where it does not tell.
  var counters: FlowCounters? { FlowCounters(of: descriptor) }

  /// What has come: nothing when time is over, nil at the end.
  func receive(until deadline: ContinuousClock.Instant) -> [UInt8]? {
    while true {
      look()
      switch take() {
      case .bytes(let count): return Array(buffer[..<count])
      case .end, .failure: return nil
      case .nothing: break
      }
      guard deadline > .now else { return [] }
      guard wait(stream?.events(reads: true) ?? Int16(POLLIN), until: deadline) else { return nil }
    }
  }

  /// Sends all of it.
  ///
  /// - Returns: false where it does not go in time, or not at all.
  func send(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) -> Bool {
    if let stream {
      guard (try? stream.send(bytes)) != nil else { return false }
      while stream.isSending {
        guard deadline > .now, wait(stream.events(reads: false), until: deadline),
          (try? stream.proceed()) != nil
        else { return false }
      }
      return true
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      look()
      let count = rest.withUnsafeBytes { Int(luna_send(descriptor, $0.baseAddress, $0.count)) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else {
        guard -count == Int(EAGAIN), deadline > .now, wait(Int16(POLLOUT), until: deadline) else {
          return false
        }
      }
    }
    return true
  }

  /// Looks once more, and not again.
  func endWatch() {
    if let watch, let counters { watch(counters) }
    watch = nil
  }

  private func look() {
    guard let watch, nextLook <= .now else { return }
    nextLook = .now + .seconds(LossTick.seconds)
    if let counters { watch(counters) }
  }

  private func take() -> FlowArrival {
    guard let stream else {
      let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
      if count > 0 { return .bytes(count) }
      return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
    }
    do throws(TLSError) {
      try stream.proceed()
      switch try stream.receive(buffer.count, into: &buffer) {
      case .bytes(let count): return .bytes(count)
      case .nothing: return .nothing
      case .end: return .end
      }
    } catch {
      return .failure
    }
  }

  /// - Returns: false when everything ends.
  private func wait(_ events: Int16, until deadline: ContinuousClock.Instant) -> Bool {
    let deadline = watch == nil ? deadline : min(deadline, nextLook)
    let left = (ContinuousClock.now.duration(to: deadline) / .milliseconds(1)).rounded(.up)
    var polls = [
      pollfd(fd: end.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: events, revents: 0),
    ]
    _ = poll(&polls, 2, Int32(max(0, min(left, 1e6))))
    return polls[0].revents == 0
  }
}
