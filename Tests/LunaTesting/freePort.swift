import Glibc

/// A TCP port that nobody has, for a server that is started later, or anew: unlike those that the kernel gives, it is none
/// that a client anywhere on this machine gets by chance meanwhile. Nor does any other run or test choose it while this
/// process lives, though nobody may listen at it now and then: it is claimed as `free_port` of integration does it.
public func freePort() -> UInt16 {
  while true {
    let port = UInt16.random(in: 20_000..<32_000)
    guard let claim = claim(of: port) else { continue }
    guard let (probe, _) = loopbackSocket(port) else {
      close(claim)
      continue
    }
    close(probe)
    return port
  }
}

/// A socket with the name that stands for a port, in the namespace that has no files: it is gone with its process.
///
/// - Returns: nil when the port is claimed already.
private func claim(of port: UInt16) -> Int32? {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  precondition(descriptor >= 0, "no socket")
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let name: [UInt8] = [0] + Array("luna-test-port-\(port)".utf8)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
  let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
  let isBound = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
  }
  guard isBound else {
    close(descriptor)
    return nil
  }
  return descriptor
}
