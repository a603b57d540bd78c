import Glibc

/// A TCP port that nobody has, for a server that is started later, or anew: unlike those that the kernel gives, it is none
/// that a client anywhere on this machine gets by chance meanwhile.
public func freePort() -> UInt16 {
  while true {
    let port = UInt16.random(in: 20_000..<32_000)
    let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(probe) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isFree = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(probe, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    if isFree { return port }
  }
}
