import Glibc

/// A TCP port that nobody has, for a server that is started later, or anew: unlike those that the kernel gives, it is none
/// that a client anywhere on this machine gets by chance meanwhile.
public func freePort() -> UInt16 {
  while true {
    let port = UInt16.random(in: 20_000..<32_000)
    guard let (probe, _) = loopbackSocket(port) else { continue }
    close(probe)
    return port
  }
}
